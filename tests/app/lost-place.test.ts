import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { dropRows } from '#replica/feed-state.ts';
import { heldPlaceOf } from '#replica/held-place.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { newPull } from '#replica/pulls.ts';
import { purgeScope } from '#replica/purge.ts';
import { lostText, watchPlace } from '#app/shell/lost-place.ts';
import { planted } from '#tests/support/stored.ts';

async function aCopy() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const row = { _scope: 'user' };
  const fetch = async (): Promise<void> => {
    await planted(replica.rows, 'clients', [{ ...row, id: 'c', client_name: 'Meridian' } as never]);
    await planted(replica.rows, 'entities', [{ ...row, id: 'e', client_id: 'c', entity_name: 'Master Fund' } as never]);
    const read = { last_complete_at: 1 };
    await planted(replica.rows, 'pulls', [
      { ...newPull('user', 'clients'), ...read },
      { ...newPull('user', 'entities'), ...read },
    ]);
  };
  await fetch();
  return { replica, fetch };
}

test('[SH13] a place that may no longer be seen is left, by its name and once; not one that was never here, nor one that is fetched anew', async () => {
  const { replica, fetch } = await aCopy();
  const [entity, client, unknown] = [{ entity: 'e' }, { client: 'c' }, { entity: 'x' }];
  const look = watchPlace();
  const at = async (place: { entity?: string; client?: string }): Promise<string | null> => look(await heldPlaceOf(replica, place));
  expect([await at(entity), await at({}), await at(unknown), await at({ client: 'all' })]).toEqual([null, null, null, null]);
  // another database stands at the server: everything is read anew
  expect(await at(entity)).toBeNull();
  await dropRows(replica);
  expect([await at(entity), await at(entity)]).toEqual([null, null]);
  await fetch();
  expect(await at(entity)).toBeNull();
  await replica.rows.write(['entities'], (tx) => tx.remove('entities', 'e'));
  await purgeScope(replica, 'entity:e', []);
  expect([await at(entity), await at(entity)]).toEqual(['Master Fund', null]);
  expect(await at(client)).toBeNull();
  await replica.rows.write(['clients'], (tx) => tx.remove('clients', 'c'));
  expect(await at(client)).toBe('Meridian');
  expect(lostText('Meridian')).toBe('You no longer have access to Meridian.');
  closeReplica(replica);
});
