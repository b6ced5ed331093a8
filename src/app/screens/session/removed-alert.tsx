import { type RemovedNote, removedText } from '#app/session/removed-note.ts';
import { usePreferences } from '#app/use-preferences.ts';

/** Says what was removed from this device at the server's word, and why. */
export function RemovedAlert({ note }: { note: RemovedNote }) {
  const { zone } = usePreferences();
  return (
    <p role="alert" className="mb-4 rounded bg-warn-soft px-3 py-2 text-grid break-words">
      {removedText(note, zone)}
    </p>
  );
}
