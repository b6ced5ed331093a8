import { type MutationName, mutationNamed, mutations } from '#contract/mutations.ts';
import { needsPerson } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow } from './outbox-tables.ts';

/** The ids of edits that do not go on by themselves: they wait for the person or for a newer build, or behind one that does. */
function heldUp(edits: readonly OutboxRow[]): Set<string> {
  const [held, lanes] = [new Set<string>(), new Set<string>()];
  let before = -1;
  // one may follow another that was made after it
  while (before !== held.size) {
    before = held.size;
    for (const edit of edits) {
      const { id, lane, deps = [] } = edit;
      const isFree = !needsPerson(edit.state) && !isOfNewerBuild(edit) && !lanes.has(lane);
      if (held.has(id) || (isFree && !deps.some((each) => held.has(each)))) continue;
      held.add(id);
      lanes.add(lane);
    }
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

/** The ids of the edits that others follow: those stay, whatever comes after them in their lane. */
export function followedEdits(edits: readonly OutboxRow[]): Set<string> {
  return new Set(edits.flatMap(({ deps }) => deps ?? []));
}

/** The same with those that are to let go of a name first: where their row is named anew behind them, they do so in between. */
export function waitedForEdits(edits: readonly OutboxRow[]): Set<string> {
  return new Set(edits.flatMap(waitsFor(edits)));
}
