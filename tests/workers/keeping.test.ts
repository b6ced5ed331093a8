import { afterEach, expect, test } from 'vitest';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import { copyStanding } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { feedStateOf, startFeed } from '#replica/feed-state.ts';
import { chooseToLeaveOut, followChoice, leftOutOf } from '#replica/left-out.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { Keeping } from '#workers/keeping.ts';
import type { Run } from '#workers/run.ts';
import { StatusBoard } from '#workers/status-board.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { listed, planted } from '#tests/support/stored.ts';

const now = Date.parse('2026-03-10T00:00:00Z');

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

type Move = (replica: Replica) => Promise<unknown>;
const listedThere: Move = (replica) =>
  planted(replica.rows, 'entities', [{ id: 'e', client_id: 'later', _scope: 'user' } as Entity & { _scope: string }]);
const toldThere: Move = (replica) => {
  const scopes = [{ key: 'entity:e', parent: 'client:later' }];
  const state = { server_gen: 'one', cursor: '5.0', perm_version: 1, scopes };
  return startFeed(replica, state, { seen: ['client:former', 'client:later', 'entity:e'], unseen: [] });
};

/** A copy with rows of an entity in the columns of a client which it left for another one, and its keeping. */
async function aCopy(move: Move) {
  const replica = await openReplica(browserStores, `keeping ${performance.now()}`, now);
  open.push(replica);
  const sets = someSets(replica, { now: () => now });
  await (await sets.transactions('former')).apply([aPulledRow({ id: 'row', trx_date: '2026-03-01T00:00:00.000Z' })]);
  const clients = ['former', 'later'].map((id) => ({ id, client_name: id, _scope: 'user' }) as Client & { _scope: string });
  await planted(replica.rows, 'clients', clients);
  await move(replica);
  const ports = { ballast: () => new Uint8Array(1), now: () => now, usage: async () => ({ usedBytes: 5e9, quotaBytes: 1e12 }) };
  const keeping = new Keeping(ports, new StatusBoard(), () => ['former']);
  const [none, sizes, queries] = [new Set<string>(), { of: () => null }, { changed: () => undefined }];
  const run = { replica, sets, sizes, queries, leftOut: none, letGo: none, leaving: none } as unknown as Run;
  const choice = await followChoice(replica, () => undefined);
  return { replica, keeping, run, choice };
}

test('[KD14] with a client that there is no room for goes what an entity of it left where it was before', async () => {
  const { replica, keeping, run, choice } = await aCopy(listedThere);
  await keeping.follow(run, choice);
  expect(await keeping.fit(run, await copyStanding(replica))).toBe(true);
  choice.close();
  expect(await leftOutOf(replica)).toEqual(['later']);
  expect(await listed(replica.rows, 'cold')).toEqual([]);
});

test('[KD14] with a client that is left out goes what an entity left elsewhere of which only the feed says that it came to it', async () => {
  const { replica, keeping, run, choice } = await aCopy(toldThere);
  await chooseToLeaveOut(replica, 'later', true);
  choice.forget();
  await keeping.follow(run, choice);
  choice.close();
  expect(await leftOutOf(replica)).toEqual(['later']);
  expect((await feedStateOf(replica))?.scopes).toEqual([]);
  expect(await listed(replica.rows, 'cold')).toEqual([]);
});
