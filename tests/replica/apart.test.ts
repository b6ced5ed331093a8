import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { type DeviceTables, deviceIdOf, deviceSchema, recordLoss } from '#replica/device-tables.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { startRowsTerm, termIn } from '#replica/fence.ts';
import { markInstall } from '#replica/install-marks.ts';
import { closeReplica, deleteOutbox, openReplica } from '#replica/open.ts';
import { plainKeyOf } from '#replica/user-keys.ts';
import { enqueue, type NewMutation, pendingMutations } from '#replica/outbox.ts';
import { startTerm } from '#replica/sending.ts';
import { outboxSchema } from '#replica/outbox-tables.ts';
import { replicaName } from '#replica/row-tables.ts';
import { listed } from '#tests/support/stored.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that has storage buckets from now on. */
function aBrowserWithBuckets(): { bucket: IDBFactory; goBack: () => void } {
  const bucket = new IDBFactory();
  const goOn = (): void => void vi.stubGlobal('navigator', { storageBuckets: { open: () => Promise.resolve({ indexedDB: bucket }) } });
  goOn();
  return { bucket, goBack: goOn };
}

function anEdit(title: string): NewMutation<'saveView'> {
  const id = uuidv7();
  const input = { id, name: title, list: 'transactions' as const, search: '' };
  return { id, name: 'saveView', input, title, now: 1, clientId: null, entityId: null };
}

/** What waits when a user's databases are opened, with an edit that is made then. */
async function visit(userId: string, title: string | null): Promise<string[]> {
  const replica = await openReplica(browserStores, userId, 0);
  try {
    if (title !== null) await enqueue(replica.outbox, anEdit(title));
    return (await pendingMutations(replica.outbox)).map((edit) => edit.title);
  } finally {
    closeReplica(replica);
  }
}

const namesIn = async (factory: IDBFactory): Promise<string[]> => (await factory.databases()).map(({ name = '' }) => name);
const outboxOf = (userId: string): string => outboxSchema(plainKeyOf(userId)).name;

test('[PO6] edits are apart from the copies where a browser can keep them so', async () => {
  const { bucket } = aBrowserWithBuckets();
  const userId = uuidv7();
  expect(await visit(userId, 'first')).toEqual(['first']);
  expect(await visit(userId, 'second')).toEqual(['first', 'second']);
  expect(await namesIn(bucket)).toContain(outboxOf(userId));
  expect(await namesIn(indexedDB)).not.toContain(outboxOf(userId));
  expect(await namesIn(indexedDB)).toContain(replicaName(plainKeyOf(userId)));
  await deleteOutbox(browserStores, userId);
  expect(await namesIn(bucket)).not.toContain(outboxOf(userId));
});

test('[PO6] edits stay where a build before them, or a browser without buckets, began to keep them, until they are to go', async () => {
  const userId = uuidv7();
  await visit(userId, 'first');
  const { bucket, goBack } = aBrowserWithBuckets();
  expect(await visit(userId, 'second')).toEqual(['first', 'second']);
  // a tab of that build
  vi.unstubAllGlobals();
  expect(await visit(userId, 'third')).toEqual(['first', 'second', 'third']);
  goBack();
  expect(await visit(userId, null)).toEqual(['first', 'second', 'third']);
  await deleteOutbox(browserStores, userId);
  expect([...(await namesIn(indexedDB)), ...(await namesIn(bucket))]).not.toContain(outboxOf(userId));
  expect(await visit(userId, 'fourth')).toEqual(['fourth']);
  expect(await namesIn(bucket)).toContain(outboxOf(userId));
});

test('[PO6] edits that a tab of such a build keeps where they lie apart already go with those', async () => {
  const userId = uuidv7();
  const { bucket, goBack } = aBrowserWithBuckets();
  await visit(userId, 'first');
  vi.unstubAllGlobals();
  expect(await visit(userId, 'beside')).toEqual(['beside']);
  goBack();
  await deleteOutbox(browserStores, userId);
  expect([...(await namesIn(indexedDB)), ...(await namesIn(bucket))]).not.toContain(outboxOf(userId));
});

test('[PO6] a browser keeps its name and what it was told where what it knows of itself comes to lie apart', async () => {
  const made = (): string => 'made anew';
  const before = await deviceIdOf(browserStores, () => 'the name of before');
  await recordLoss(browserStores, { at: 1, database: 'one', reason: 'torn' });
  const { bucket } = aBrowserWithBuckets();
  expect([await deviceIdOf(browserStores, made), await deviceIdOf(browserStores, made)]).toEqual([before, before]);
  expect(await namesIn(bucket)).toContain(deviceSchema.name);
  const device = await browserStores.open<DeviceTables>(deviceSchema);
  expect((await listed(device, 'loss_audit')).map(({ database }) => database)).toEqual(['one']);
  device.close();
});

test('[PO6] in a place that a crash damaged it is known what is there once it is mended', async () => {
  const userId = uuidv7();
  const { bucket } = aBrowserWithBuckets();
  await visit(userId, 'first');
  // Chromium tells no names of a damaged place until a database is opened in it
  const { databases, open } = bucket;
  let isDamaged = true;
  bucket.databases = () => (isDamaged ? Promise.reject(new DOMException('damaged', 'UnknownError')) : databases.call(bucket));
  bucket.open = (...given) => {
    isDamaged = false;
    return open.apply(bucket, given);
  };
  expect(await visit(userId, 'second')).toEqual(['first', 'second']);
  expect(await namesIn(bucket)).not.toContain('tieout-mending');
});

test('[PO6] a person is not told of a loss for that what they made was marked elsewhere before, and is where it went', async () => {
  const userId = uuidv7();
  const device = await browserStores.open<DeviceTables>(deviceSchema);
  await device.write(['device'], (tx) => tx.put('device', { k: `install ${userId}`, value: 'of before' }));
  const mark = async (): Promise<string | null> => {
    const { outbox, ...replica } = await openReplica(browserStores, userId, 0);
    return markInstall(outbox, replica.host, userId, 'given').finally(() => closeReplica({ outbox, ...replica }));
  };
  expect([await mark(), await mark()]).toEqual(['of before', 'of before']);
  await deleteOutbox(browserStores, userId);
  expect([await mark(), await mark()]).toEqual([null, 'given']);
  device.close();
});

test('[PO6] a writer of an outbox that was lost alone begins behind those of the copy', async () => {
  const userId = uuidv7();
  const first = await openReplica(browserStores, userId, 0);
  for (let no = 0; no < 5; no += 1) await startRowsTerm(first.rows, await startTerm(first.outbox, await termIn(first.rows)));
  closeReplica(first);
  await deleteOutbox(browserStores, userId);
  const second = await openReplica(browserStores, userId, 0);
  expect(await startTerm(second.outbox, await termIn(second.rows))).toBe(6);
  closeReplica(second);
});
