import { type MutationName, mutationNamed, mutations } from '#contract/mutations.ts';
import type { OutboxRow } from './outbox-tables.ts';

/**
 * For each edit that waits for another one, by its number: the one right before it in its lane, or the last one it follows.
 * @param edits in the order of making.
 */
export function editsAhead(edits: readonly OutboxRow[]): Map<number, OutboxRow> {
  const last = new Map<string, OutboxRow>();
  const ahead = new Map<number, OutboxRow>();
  const open = new Map(edits.filter(({ state }) => state !== 'acked').map((edit) => [edit.id, edit]));
  for (const edit of edits) {
    const before = last.get(edit.lane) ?? edit.deps?.map((id) => open.get(id)).findLast((each) => each !== undefined);
    if (before) ahead.set(edit.seq, before);
    last.set(edit.lane, edit);
  }
  return ahead;
}

/** Whether an edit says all there is to say of its row; what an edit of a newer build says is not known here. */
export function isWholeEdit(name: MutationName): boolean {
  return Object.hasOwn(mutations, name) && mutationNamed(name).isWhole === true;
}

/** Whether an edit says again all that its form shows of its row. */
export function isFormEdit(name: MutationName): boolean {
  return Object.hasOwn(mutations, name) && mutationNamed(name).isForm === true;
}

/** The ids of the edits that others follow: those stay, whatever comes after them in their lane. */
export function followedEdits(edits: readonly OutboxRow[]): Set<string> {
  return new Set(edits.flatMap(({ deps }) => deps ?? []));
}
