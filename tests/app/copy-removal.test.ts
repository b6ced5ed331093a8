import { expect, test } from 'vitest';
import { askRemoval, forgetRemoval, removeAskedCopies } from '#app/session/copy-removal.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { plainKeyOf } from '#replica/user-keys.ts';
import { outboxSchema } from '#replica/outbox-tables.ts';
import { replicaName } from '#replica/row-tables.ts';
import { aStorage } from '#tests/support/storage.ts';

test('[SG1] copies asked to go are gone, and go again if they come back, until their person signs in; nobody else’s goes', async () => {
  const local = aStorage();
  const users = ['a', 'b', 'c'];
  const open = async (): Promise<void> => {
    for (const user of users) closeReplica(await openReplica(browserStores, user, 0));
  };
  const copies = async (): Promise<string[]> => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    return users.filter((user) => names.includes(replicaName(plainKeyOf(user))));
  };
  const afterRemoval = async (): Promise<string[]> => {
    await open();
    await removeAskedCopies(local, null);
    return copies();
  };
  expect(await afterRemoval()).toEqual(['a', 'b', 'c']);
  askRemoval(local, 'a');
  askRemoval(local, 'b');
  expect(await afterRemoval()).toEqual(['c']);
  expect(await afterRemoval()).toEqual(['c']);
  forgetRemoval(local, 'a');
  expect(await afterRemoval()).toEqual(['a', 'c']);
});

test('[SG4] edits go with the copy only where that was asked', async () => {
  const local = aStorage();
  const outboxes = async (): Promise<string[]> => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    return ['d', 'e'].filter((user) => names.includes(outboxSchema(plainKeyOf(user)).name));
  };
  for (const user of ['d', 'e']) closeReplica(await openReplica(browserStores, user, 0));
  askRemoval(local, 'd');
  askRemoval(local, 'e', ['copy', 'edits']);
  await removeAskedCopies(local, null);
  expect(await outboxes()).toEqual(['d']);
});
