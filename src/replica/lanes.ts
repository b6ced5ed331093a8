import { type MutationName, mutationNamed, mutations } from '#contract/mutations.ts';
import { needsPerson } from './mutation-states.ts';
import type { OutboxRow } from './outbox-tables.ts';

/** The ids of edits that do not go on by themselves: they wait for the person, or behind one that does. */
function heldUp(edits: readonly OutboxRow[]): Set<string> {
  const [held, lanes] = [new Set<string>(), new Set<string>()];
  for (const { id, lane, state, deps = [] } of edits) {
    if (!needsPerson(state) && !lanes.has(lane) && !deps.some((each) => held.has(each))) continue;
    held.add(id);
    lanes.add(lane);
  }
  return held;
}

/** Tells of an edit which ones of other lanes it waits for, by id. @param edits all that wait, in the order of making. */
export function waitsFor(edits: readonly OutboxRow[]): (edit: OutboxRow) => string[] {
  const open = new Set(edits.filter(({ state }) => state !== 'acked').map(({ id }) => id));
  const held = heldUp(edits);
  return ({ deps = [], after = [] }) => [...deps, ...after.filter((id) => !held.has(id))].filter((id) => open.has(id));
}

/**
 * For each edit that waits for another one, by its number: the one right before it in its lane, or the last one it waits for.
 * @param edits in the order of making.
 */
export function editsAhead(edits: readonly OutboxRow[]): Map<number, OutboxRow> {
  const last = new Map<string, OutboxRow>();
  const ahead = new Map<number, OutboxRow>();
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  const waited = waitsFor(edits);
  for (const edit of edits) {
    const before = last.get(edit.lane) ?? byId.get(waited(edit).at(-1) ?? '');
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

/** The ids of the edits that others wait for: those stay, whatever comes after them in their lane. */
export function followedEdits(edits: readonly OutboxRow[]): Set<string> {
  return new Set(edits.flatMap(waitsFor(edits)));
}
