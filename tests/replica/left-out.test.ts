import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { feedStateIn, startFeed } from '#replica/feed-state.ts';
import { clientsCameTo, leaveOut } from '#replica/left-out.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';

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
  const feed = await replica.rows.read(['meta'], (tx) => feedStateIn(tx));
  expect(feed?.scopes.map(({ key }) => key)).toEqual(['entity:elsewhere']);
  // nor has it come to the one that is left out before its list says so
  expect(await clientsCameTo(replica, ['out'])).toEqual([]);
  closeReplica(replica);
});
