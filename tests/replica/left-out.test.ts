import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { ColumnSet } from '#replica/column-set.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { feedStateIn, startFeed } from '#replica/feed-state.ts';
import { clientsCameTo, freeRoomOf, leaveOut } from '#replica/left-out.ts';
import { dropLeftColumns } from '#replica/left-columns.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { newPull } from '#replica/pulls.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { dropSet } from '#replica/set-storage.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { listed, planted } from '#tests/support/stored.ts';

const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A copy that follows entities as ones of the client `out`; by its list one of them is another client's. */
async function aCopy(): Promise<Replica> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const scopes = ['unlisted', 'here', 'elsewhere'].map((id) => ({ key: `entity:${id}`, parent: 'client:out' }));
  const seen = ['client:out', 'client:kept', ...scopes.map(({ key }) => key)];
  await startFeed(replica, { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes }, { seen, unseen: [] });
  const listedIn = { here: 'out', elsewhere: 'kept' };
  await replica.rows.write(['entities', 'pulls'], async (tx) => {
    for (const [id, client_id] of Object.entries(listedIn))
      await tx.put('entities', { id, client_id, version: 1, _scope: 'user' } as never);
  });
  return replica;
}

test('[KD15] with a client that is left out goes what its list or, of what is in no list, the feed has in it; what another list has stays', async () => {
  const replica = await aCopy();
  expect(await clientsCameTo(replica, ['out'])).toEqual(['out']);
  await leaveOut(replica, ['out'], ['out']);
  expect(await followed(replica)).toEqual(['entity:elsewhere']);
  // nor has it come to the one that is left out before its list says so
  expect(await clientsCameTo(replica, ['out'])).toEqual([]);
  closeReplica(replica);
});

test.each(['unlisted', 'here'])(
  '[KD17] an entity, %s, is followed until nothing of it lies in the columns of another client, and left out with its own then',
  async (entity) => {
    const replica = await aCopy();
    await lying(replica, entity, 'kept');
    await leaveOut(replica, ['out'], ['out']);
    expect(await followed(replica)).toEqual([`entity:${entity}`, 'entity:elsewhere']);
    await dropLeftColumns(replica, 'kept');
    expect(await clientsCameTo(replica, ['out'])).toEqual(['out']);
    await leaveOut(replica, ['out'], ['out']);
    expect(await followed(replica)).toEqual(['entity:elsewhere']);
    closeReplica(replica);
  },
);

async function followed(replica: Replica): Promise<string[] | undefined> {
  const feed = await replica.rows.read(['meta'], (tx) => feedStateIn(tx));
  return feed?.scopes.map(({ key }) => key);
}

/** Writes a row of an entity to the columns of a client, with a pull that says so. */
async function lying(replica: Replica, entity_id: string, client = 'out'): Promise<void> {
  const set = await ColumnSet.open({ replica, noun: columnNouns.transactions, set: client, breathe });
  const pull = { ...newPull(`entity:${entity_id}`, 'transactions'), complete_from: 0 };
  const rows = [aPulledRow({ id: `of ${entity_id}`, trx_date: '2026-03-01T00:00:00.000Z', entity_id })];
  await set.apply(rows, { askedAt: { pull, resets: 1 }, pull });
  await set.close();
}

test.each([
  ['there is no room for', (replica: Replica) => freeRoomOf(replica, 'out')],
  ['is left out', (replica: Replica) => leaveOut(replica, ['out'], ['out'])],
  ['is damaged', (replica: Replica) => dropSet(replica, { noun: 'transactions', set: 'out' })],
])('[KD16] nothing that lay in the columns of a client that %s is called read, be it elsewhere or in no list by now', async (_, go) => {
  const replica = await aCopy();
  await lying(replica, 'elsewhere');
  await lying(replica, 'away');
  const staying = [newPull('entity:elsewhere', 'transaction_matches'), newPull('entity:other', 'transactions')];
  await planted(replica.rows, 'pulls', staying);
  await go(replica);
  expect(await listed(replica.rows, 'pulls')).toEqual(staying);
  closeReplica(replica);
});

test('[KD16] a page that was asked for before the columns turned out damaged is not written: it would say again that what lay in them is read', async () => {
  const replica = await aCopy();
  await lying(replica, 'elsewhere');
  const [read] = await listed(replica.rows, 'pulls');
  await dropSet(replica, { noun: 'transactions', set: 'out' });
  const set = await ColumnSet.open({ replica, noun: columnNouns.transactions, set: 'other', breathe });
  if (!read) throw new Error('Nothing was read');
  const rows = [aPulledRow({ id: 'older', trx_date: '2026-02-01T00:00:00.000Z', entity_id: 'elsewhere' })];
  await expect(set.apply(rows, { askedAt: { pull: read, resets: 1 }, pull: read })).rejects.toThrow(ClosedSetError);
  expect(await listed(replica.rows, 'pulls')).toEqual([]);
  closeReplica(replica);
});
