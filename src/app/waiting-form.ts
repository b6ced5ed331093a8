import type { MutationInput, MutationName } from '#contract/mutations.ts';
import type { Fields } from '#replica/merge.ts';

/** What a form tells of an edit that waits, whatever the edit is. */
export interface WaitingWords {
  /** What is typed into its form is kept under this, apart from what is typed into others of the row. */
  draftKey: string;
  /** What becomes of the edit once it is saved, where that is not plain. */
  note: string | null;
  /** Why the server did not take it. */
  refusal: string | null;
  /** What the server said of fields of the input, by name, as forms tell their own errors. */
  errors: Readonly<Record<string, { type: 'server'; message: string }>>;
}

/** What an edit is to be besides what it says. */
export interface RestatedWith {
  /** Edits, by id, that must be accepted first; left out, they stay the same. */
  deps?: readonly string[];
  /** What it is called now, where its input does not tell. */
  title?: string;
}

/** An edit that waits, for the form it was made in. */
export interface WaitingForm<N extends MutationName> {
  words: WaitingWords;
  /** What the form begins with: what is sent if nothing is changed. */
  input: MutationInput<N>;
  /** The row it is made on, as far as that is compared, and of one in conflict theirs; null where there is none, or it is not known. */
  row: Fields | null;
  /** Of whose entities it changes one, where that is known. */
  clientId: string | undefined;
  /** What it makes is not at the server, and never was as far as one knows: all of it may be said otherwise. */
  isNew: boolean;
  /** Has the edit say something else. @throws in words where it is too late. */
  onSave: (changes: Partial<MutationInput<N>>, restated?: RestatedWith) => Promise<void>;
  onClose: () => void;
}

/** What the server said of an edit beside what it said of the fields a form has. */
export function refusalBeside(words: WaitingWords | undefined, fields: readonly string[]): string | null {
  if (!words) return null;
  const told = Object.keys(words.errors);
  return told.length > 0 && told.every((field) => fields.includes(field)) ? null : words.refusal;
}
