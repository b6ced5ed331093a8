import type { MutationName } from '#contract/mutations.ts';
import { isShown, type MutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { followedEdits } from './lanes.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import { baseBehind, baseOn, type SeenRow } from './rebase.ts';
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

/** What an edit is made on, given the edits that just gave way to it. */
export async function baseOfNew(
  tx: StoreReading<OutboxTables>,
  { name, lane, seen }: { name: MutationName; lane: string; seen: SeenRow | null | undefined },
  replaced: readonly OutboxRow[],
): Promise<EditBase | undefined> {
  const edits = await tx.list('mutations', { index: 'lane', is: lane });
  const ahead = edits.filter((edit) => isShown(edit.state) && !isOfNewerBuild(edit));
  const lastAhead = ahead.at(-1)?.seq ?? 0;
  // what the person saw had those laid over it: what they were made on, or what one that stays leaves, nobody has looked beneath since
  const covering = replaced.find(({ state, seq }) => isShown(state) && seq > lastAhead);
  if (covering) return covering.base;
  if (seen === undefined) return undefined;
  // of a row that an edit made which was accepted since, no version is known either
  const isMadeSince = seen?.version === 0 && edits.length === 0 && replaced.length === 0;
  return ahead.length > 0 || isMadeSince ? baseBehind(name, seen, ahead) : baseOn(name, seen);
}

/**
 * Where an edit stands that takes the place of others. Of a conflict about a row that somebody else made meanwhile the question stays:
 * that there was no row is also true once theirs is deleted, and the server could not tell the one from the other.
 */
export function standingFor(replaced: readonly OutboxRow[]): Pick<OutboxRow, 'state' | 'theirs'> {
  const open = replaced.findLast(
    ({ state, base, theirs }) => state === 'conflict' && base?.fields === null && theirs && theirs.fields !== null,
  );
  return open?.theirs ? { state: 'conflict', theirs: open.theirs } : { state: 'queued' };
}
