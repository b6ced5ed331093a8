import { afterEach, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { hello } from '#contract/feed.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { generationName } from '#replica/generation.ts';
import { writeKept } from '#replica/kept.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { newPull } from '#replica/pulls.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { Feed } from '#workers/feed.ts';
import { letGoOfLost } from '#workers/lost-scopes.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { losing, someSets } from '#tests/support/some-sets.ts';
import { entitiesIn, listed, planted } from '#tests/support/stored.ts';
import { Unreadable } from '#workers/unreadable.ts';

const now = (): number => Date.parse('2026-03-10T00:00:00Z');
const generation = '0198a000-0000-7000-8000-000000000001';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

const row = () => aPulledRow({ id: 'row', trx_date: '2026-03-01T00:00:00.000Z' });

/** A copy and its sets, and how to write a page with a row of entity `e` whose connection is lost before anybody is told. */
async function aCopy() {
  const opened = await openReplica(browserStores, `held ${performance.now()}`, now());
  open.push(opened);
  const { replica, lost } = losing(opened);
  const sets = someSets(replica, { now });
  const set = await sets.transactions('c');
  const applyUntold = (): Promise<void> => lost(() => expect(set.apply([row()])).rejects.toThrow('The connection is lost'));
  const entities = async (): Promise<unknown[]> => (await listed(replica.rows, 'cold')).flatMap(entitiesIn);
  return { replica, sets, set, applyUntold, entities };
}

const greeting = { server_gen: generation, perm_version: 1, max_limit: 100, caps: ['changes'] };
/** A server with a feed of which nothing may be seen. */
const seesNothing = ((endpoint: unknown) =>
  Promise.resolve(
    endpoint === hello ? greeting : { cursor: '5.0', has_more: false, perm_version: 1, scopes_gained: [], scopes_lost: [], changes: [] },
  )) as unknown as ApiCall;

async function beginFeed(replica: Replica, sets: ConstructorParameters<typeof Feed>[0]['sets']): Promise<void> {
  await writeKept(replica, generationName, generation);
  const told = { onChanged: () => undefined, unreadable: new Unreadable(now) };
  const device = { build: 'b', deviceId: () => Promise.resolve('device'), isLeftOut: () => false };
  await new Feed({ replica, sets, now, call: seesNothing, ...told, ...device }).follow();
}

test.each([
  ['the feed is begun anew', ({ replica, sets }) => beginFeed(replica, sets)],
  ['its lists name it no more', ({ replica, sets }) => letGoOfLost({ replica, sets, now, call: seesNothing }, 'entity:e')],
] satisfies [string, (copy: Awaited<ReturnType<typeof aCopy>>) => Promise<void>][])(
  '[CS18] where %s an entity goes with all its rows, also with those that were committed though nobody said so',
  async (_, letGo) => {
    const copy = await aCopy();
    await copy.applyUntold();
    expect(await copy.entities()).toEqual(['e']);
    await letGo(copy);
    expect(await copy.entities()).toEqual([]);
  },
);

test('[CS18] where the feed is begun anew a page that is written once it was asked whose rows are here goes, too, and the next is void', async () => {
  const { replica, sets, set, entities } = await aCopy();
  const askedAt = { pull: newPull('entity:e', 'transactions'), resets: 0 };
  let isWritten = false;
  await beginFeed(replica, {
    names: sets.names,
    transactions: (client) => sets.transactions(client),
    without: async (clients, work) => {
      if (!isWritten) await set.apply([row()], { askedAt });
      isWritten = true;
      return sets.without(clients, work);
    },
  });
  expect(await entities()).toEqual([]);
  await expect((await sets.transactions('c')).apply([row()], { askedAt })).rejects.toThrow(ClosedSetError);
});

test('[SY79] lists that may have told of what lay in a client later than the list of clients are read again once that is let go of', async () => {
  const { replica, sets } = await aCopy();
  const read = (noun: string) => ({ ...newPull('user', noun), last_complete_at: now() });
  await planted(replica.rows, 'pulls', [read('clients'), read('entities'), read('custodians')]);
  await planted(replica.rows, 'entities', [{ id: 'e', client_id: 'c', _scope: 'user' } as never]);
  await letGoOfLost({ replica, sets, now, call: seesNothing }, 'client:c');
  expect(await listed(replica.rows, 'entities')).toEqual([]);
  const due = (await listed(replica.rows, 'pulls')).flatMap(({ noun, last_complete_at: at }) => (at === null ? [noun] : []));
  expect(due.sort()).toEqual(['clients', 'entities']);
});
