import { describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Custodian } from '#contract/custodians.ts';
import { standingOf } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { applyFeedPage } from '#replica/feed-page.ts';
import { dropRows, type FeedState, startFeed } from '#replica/feed-state.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { randomOf } from '#tests/sim/random.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { listed } from '#tests/support/stored.ts';
import { aThing, aThingStream, idsOfThings } from '#tests/support/thing-lists.ts';
import { pullStream } from '#workers/list-pull.ts';
import { OwnRights } from '#workers/own-rights.ts';

const random = randomOf('list sweep');
const stream = aThingStream({ by: 'skip', limit: 100 });
const rowsFrom = (first: number): Custodian[] => Array.from({ length: 160 - first }, (_, no) => aThing(first + no));

const state = (perm_version: number): FeedState => ({ server_gen: 'one', cursor: '1.0', perm_version, scopes: [] });
const setsOf = (replica: Replica) => someSets(replica, { now: () => 1 });

/** A copy whose worker does something else as well while the first page of a list is being written, which waits for its turn. */
function busy(replica: Replica, meanwhile: () => Promise<unknown>): { replica: Replica; isOver: () => Promise<unknown> } {
  let other: Promise<unknown> | null = null;
  const write: Replica['rows']['write'] = (tables, work) => {
    const done = replica.rows.write(tables, work);
    if ((tables as readonly string[]).includes('custodians')) other ??= meanwhile();
    return done;
  };
  return { replica: { ...replica, rows: { ...replica.rows, write } }, isOver: async () => other };
}

/** Pulls a list of which the server shows the rows of `shown`, and looks at what is held of it. */
function pullerOf(replica: Replica, shown: { rows: readonly Custodian[] }) {
  let time = 10;
  const now = (): number => (time += 1);
  const call = (async (_: unknown, { skip = 0, limit = 0 }: { skip?: number; limit?: number }) =>
    shown.rows.slice(skip, skip + limit)) as ApiCall;
  const rights = new OwnRights({ call, now, userId: 'nobody' });
  const ports = { call, sets: setsOf(replica), now, rights, build: 'b', pageLimit: 40 };
  return {
    pull: (through = replica) => pullStream({ ...ports, replica: through }, stream, '', () => true),
    held: async () => {
      const { pull } = await standingOf(replica, 'user', 'custodians');
      return { ids: idsOfThings(await listed(replica.rows, 'custodians')), isCalledWhole: pull.last_complete_at !== null };
    },
  };
}

/** Other rights were told of. */
const rightsChange = (replica: Replica): Promise<unknown> =>
  applyFeedPage(replica, { before: state(1), after: state(2), gained: [], lost: [], changes: {}, now: 5 }, setsOf(replica));

describe('a list in pages is not called whole before it is read anew', () => {
  test.each([
    ['rights came and it has more rows', { before: 40, after: 0, meanwhile: rightsChange }],
    ['rights went and it has fewer', { before: 0, after: 32, meanwhile: rightsChange }],
    ['all rows went, for another database stands there', { before: 0, after: 0, meanwhile: dropRows }],
  ])('[SY57] where %s since its first page was given', async (_, { before, after, meanwhile }) => {
    const replica = await openReplica(browserStores, `list sweep ${random.uuid()}`, 1);
    await startFeed(replica, state(1), { seen: [], unseen: [] });
    const shown = { rows: rowsFrom(before) };
    const { pull, held } = pullerOf(replica, shown);
    const other = busy(replica, () => {
      shown.rows = rowsFrom(after);
      return meanwhile(replica);
    });
    await pull(other.replica);
    await other.isOver();
    const { ids, isCalledWhole } = await held();
    expect(isCalledWhole && ids.join() !== idsOfThings(shown.rows).join()).toBe(false);
    // what is gone goes once it was missing from a few lists
    for (let times = 0; times < 3; times += 1) await pull();
    expect(await held()).toEqual({ ids: idsOfThings(shown.rows), isCalledWhole: true });
    closeReplica(replica);
  });
});
