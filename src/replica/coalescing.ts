import type { MutationName } from '#contract/mutations.ts';
import { isShown, type MutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { followedEdits } from './lanes.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import { baseBehind, baseBeneath, baseOn, type SeenRow } from './rebase.ts';
import { settle } from './settling.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** States in which an edit has had no effect at the server, unless an earlier attempt of it may have arrived. */
const unsent: ReadonlySet<MutationState> = new Set([
  'queued',
  'refused',
  'parked',
  'paused_auth',
  'paused_permission',
  'paused_update',
  'paused_dependency',
  'conflict',
]);

/** Whether an edit can still be said otherwise: it has not been sent, or what was sent had no effect. */
export function isUnsent(edit: OutboxRow): boolean {
  return unsent.has(edit.state) && edit.may_have_arrived !== true && !isOfNewerBuild(edit);
}

/** Takes out the edits of a lane whose place the next one takes, each leaving a receipt. @returns those. */
export async function giveWay(tx: StoreWriting<OutboxTables>, lane: string, now: number): Promise<OutboxRow[]> {
  // rows of one key of an index come by their primary key, and that is the order of making
  const before = (await tx.list('mutations', { index: 'lane', is: lane })).filter(isUnsent);
  if (before.length === 0) return [];
  const followed = followedEdits(await tx.list('mutations'));
  const replaced: OutboxRow[] = [];
  for (const { id, seq } of before) {
    // as it is now: the one before it may have handed it another base
    const edit = followed.has(id) ? undefined : await tx.get('mutations', seq);
    if (!edit) continue;
    await settle(tx, edit, 'replaced', now);
    replaced.push(edit);
  }
  return replaced;
}

/** Whether the screen lays an edit over its row. */
function isLaidOver(edit: OutboxRow): boolean {
  return isShown(edit.state) && !isOfNewerBuild(edit);
}

/** Of the edits that gave way those behind the last one of their lane that stays: only in their place the new one is. */
export async function takenBehind(tx: StoreReading<OutboxTables>, lane: string, replaced: readonly OutboxRow[]): Promise<OutboxRow[]> {
  if (replaced.length === 0) return [];
  const last = (await tx.list('mutations', { index: 'lane', is: lane })).findLast(isLaidOver);
  return replaced.filter(({ seq }) => !last || seq > last.seq);
}

/** What an edit is made on, given the edits whose place it takes. */
export async function baseOfNew(
  tx: StoreReading<OutboxTables>,
  { name, lane, seen }: { name: MutationName; lane: string; seen: SeenRow | null | undefined },
  taken: readonly OutboxRow[],
): Promise<EditBase | undefined> {
  // what the person saw had those laid over it: what they were made on is what nobody has looked beneath since
  const covering = taken.filter(({ state }) => isShown(state));
  if (seen === undefined) return covering[0]?.base;
  if (covering.length > 0) return baseBeneath(seen, covering);
  const ahead = (await tx.list('mutations', { index: 'lane', is: lane })).filter(isLaidOver);
  // of a row that an edit made which was accepted since, or waits for the person, no version is known either
  const isMadeSince = seen?.version === 0 && taken.length === 0;
  return ahead.length > 0 || isMadeSince ? baseBehind(name, seen, ahead) : baseOn(name, seen);
}

/**
 * Where an edit stands that takes the place of others. Of a conflict about a row that somebody else made meanwhile the question stays:
 * that there was no row is also true once theirs is deleted, and the server could not tell the one from the other.
 */
export function standingFor(taken: readonly OutboxRow[]): Pick<OutboxRow, 'state' | 'theirs'> {
  const open = taken.findLast(
    ({ state, base, theirs }) => state === 'conflict' && base?.fields === null && theirs && theirs.fields !== null,
  );
  return open?.theirs ? { state: 'conflict', theirs: open.theirs } : { state: 'queued' };
}
