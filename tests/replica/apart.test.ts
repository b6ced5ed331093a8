import { Dexie } from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { keepBallast } from '#replica/ballast.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, deleteOutbox, openReplica, userKeyOf } from '#replica/open.ts';
import { enqueue, type NewMutation, pendingMutations } from '#replica/outbox.ts';
import { outboxSchema, type OutboxStore } from '#replica/outbox-tables.ts';

afterEach(() => vi.unstubAllGlobals());

/** From now on this is a browser that has storage buckets. @returns what is in the one of the app. */
function aBrowserWithBuckets(): IDBFactory {
  const bucket = new IDBFactory();
  vi.stubGlobal('navigator', { storageBuckets: { open: () => Promise.resolve({ indexedDB: bucket }) } });
  return bucket;
}

function anEdit(title: string): NewMutation<'saveView'> {
  const id = uuidv7();
  const input = { id, name: title, list: 'transactions' as const, search: '' };
  return { id, name: 'saveView', input, title, now: 1, clientId: null, entityId: null };
}

const titlesIn = async (outbox: OutboxStore): Promise<string[]> => (await pendingMutations(outbox)).map(({ title }) => title);

/** What waits when a user's databases are opened, with an edit that is made then. */
async function visit(userId: string, title: string | null): Promise<string[]> {
  const replica = await openReplica(browserStores, userId, 0);
  try {
    if (title !== null) await enqueue(replica.outbox, anEdit(title));
    await keepBallast(replica.outbox, () => new Uint8Array(4));
    return await titlesIn(replica.outbox);
  } finally {
    closeReplica(replica);
  }
}

const namesIn = async (factory: IDBFactory): Promise<string[]> => (await factory.databases()).map(({ name = '' }) => name);

test('[PO6] what only this device knows is apart where a browser can keep it so, and is moved there from where builds before kept it', async () => {
  const userId = uuidv7();
  const { name } = outboxSchema(userKeyOf(userId));
  await visit(userId, 'first');
  expect(await visit(userId, 'second')).toEqual(['first', 'second']);
  expect(await namesIn(indexedDB)).toContain(name);

  const bucket = aBrowserWithBuckets();
  expect(await visit(userId, 'third')).toEqual(['first', 'second', 'third']);
  expect(await namesIn(indexedDB)).not.toContain(name);
  expect(await namesIn(bucket)).toEqual([name]);

  // a build before that went on in another tab
  vi.unstubAllGlobals();
  expect(await visit(userId, 'fourth')).toEqual(['fourth']);
  vi.stubGlobal('navigator', { storageBuckets: { open: () => Promise.resolve({ indexedDB: bucket }) } });
  expect(await visit(userId, null)).toEqual(['first', 'second', 'third', 'fourth']);
});

test('[PO6] a move that broke off is done again, and moves nothing twice', async () => {
  const userId = uuidv7();
  const { name } = outboxSchema(userKeyOf(userId));
  await visit(userId, 'first');
  await visit(userId, 'second');
  aBrowserWithBuckets();
  const removing = vi.spyOn(Dexie, 'delete').mockRejectedValueOnce(new Error('the browser was closed'));
  await expect(visit(userId, null)).rejects.toThrow('the browser was closed');
  removing.mockRestore();
  expect(await visit(userId, null)).toEqual(['first', 'second']);
  expect(await namesIn(indexedDB)).not.toContain(name);
});

test('[PO6] a person whose edits are to go leaves none behind, moved or not', async () => {
  const userId = uuidv7();
  const { name } = outboxSchema(userKeyOf(userId));
  await visit(userId, 'first');
  const bucket = aBrowserWithBuckets();
  await deleteOutbox(browserStores, userId);
  expect([...(await namesIn(indexedDB)), ...(await namesIn(bucket))]).not.toContain(name);
  await visit(userId, 'second');
  await deleteOutbox(browserStores, userId);
  expect(await namesIn(bucket)).not.toContain(name);
});
