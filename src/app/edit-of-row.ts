import type { EditedNoun } from '#contract/mutations.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editsByRow } from '#replica/overlay.ts';
import { useOutbox } from './outbox-edits.tsx';

/** A row that edits are of. */
export interface EditedRow {
  noun: EditedNoun;
  id: string;
}

type ByRow = ReturnType<typeof editsByRow>;

/** Worked out once for each look at the outbox: it may hold thousands, and every sign in sight asks. */
const known = new WeakMap<readonly OutboxRow[], Map<EditedNoun, ByRow>>();

function byRowOf(edits: readonly OutboxRow[], noun: EditedNoun): ByRow {
  const nouns = known.get(edits) ?? new Map<EditedNoun, ByRow>();
  known.set(edits, nouns);
  const found = nouns.get(noun) ?? editsByRow(noun, edits);
  nouns.set(noun, found);
  return found;
}

/** The edit that a row's sign tells of: the last one of the row that has not settled. */
export function editOf(edits: readonly OutboxRow[], { noun, id }: EditedRow): OutboxRow | undefined {
  return byRowOf(edits, noun).get(id)?.at(-1);
}

/** The same, kept live; `undefined` also while the first look is under way. */
export function useEditOf(row: EditedRow): OutboxRow | undefined {
  const edits = useOutbox();
  return edits && editOf(edits, row);
}
