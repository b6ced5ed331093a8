import type { WaitingWords } from './waiting-form.ts';

/** What becomes of an edit that waits once its form is saved; nothing where that is plain. */
export function WaitingNote({ words }: { words: WaitingWords | undefined }) {
  return words?.note ? <p className="text-grid text-muted">{words.note}</p> : null;
}
