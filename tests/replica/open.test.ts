import { liveQuery } from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { type DeviceTables, deviceSchema, lossesIn, recordLoss } from '#replica/device-tables.ts';
import { closeReplica, deleteRows, dropOlderCopies, openReplica } from '#replica/open.ts';
import { outboxSchema } from '#replica/outbox-tables.ts';
import { epochOf, replicaEpoch, replicaName, rowSchema } from '#replica/row-tables.ts';
import { madeSchema } from '#tests/sim/store-cases.ts';

type Things = { things: { row: { id: string; group: string; at: number }; key: string } };

afterEach(() => vi.restoreAllMocks());

/** A browser that cannot open any database so many times. @returns how many of them are left. */
function refusing(times: number): () => number {
  let left = times;
  const { open } = indexedDB;
  vi.spyOn(indexedDB, 'open').mockImplementation((...given) => {
    if (left === 0) return open.apply(indexedDB, given);
    left -= 1;
    const error = new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
    const request = { error, onerror: (_event: object) => undefined };
    queueMicrotask(() => request.onerror({ target: request, preventDefault: () => undefined, stopPropagation: () => undefined }));
    return request as unknown as IDBOpenDBRequest;
  });
  return () => left;
}

test('[CS3] a copy that the browser opens only at the second try is whole, and no loss is noted', async () => {
  const userId = uuidv7();
  const first = await openReplica(browserStores, userId, 0);
  await first.rows.write(['meta'], (tx) => tx.put('meta', { k: 'mine', value: 'kept' }));
  closeReplica(first);
  const left = refusing(10);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const second = await openReplica(browserStores, userId, 1);
  expect(left()).toBe(0);
  expect(await second.rows.read(['meta'], (tx) => tx.get('meta', 'mine'))).toEqual({ k: 'mine', value: 'kept' });
  closeReplica(second);
  const device = await browserStores.open<DeviceTables>(deviceSchema);
  expect(await device.read(['loss_audit'], (tx) => tx.count('loss_audit'))).toBe(0);
  device.close();
});

test('[PO7] a connection that the browser closed, and could not open again at once, is opened by a later transaction', async () => {
  const schema = madeSchema(uuidv7());
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const store = await browserStores.open<Things>(schema);
  await store.write(['things'], (tx) => tx.put('things', { id: 'kept', group: '', at: 0 }));
  // another one that adds a table is let go first
  (await browserStores.open({ ...schema, versions: [...schema.versions, { extra: '&id' }] })).close();
  const left = refusing(8);
  const read = (): Promise<string[]> => store.read(['things'], (tx) => tx.keys('things'));
  await expect(read()).rejects.toThrow('Internal error');
  expect(await read()).toEqual(['kept']);
  expect(left()).toBe(0);
  store.close();
  await expect(read()).rejects.toThrow();
});

test('[PF12] what is noted of damage is read with the latest last, and whoever looks live is told of more', async () => {
  const device = await browserStores.open<DeviceTables>(deviceSchema);
  const seen: number[][] = [];
  const watching = liveQuery(() => lossesIn(device)).subscribe((losses) => void seen.push(losses.map(({ at }) => at)));
  await expect.poll(() => seen).toEqual([[]]);
  await recordLoss(browserStores, { at: 1, database: 'transactions/c1', reason: 'torn' });
  await recordLoss(browserStores, { at: 2, database: 'transactions/c1', reason: 'torn again' });
  await expect.poll(() => seen.at(-1)).toEqual([1, 2]);
  watching.unsubscribe();
  device.close();
});

test('[PW16] of a person’s copies the older ones go with an update, and all with the sign-out, a newer build’s too; nobody else’s do', async () => {
  const [user, other] = [uuidv7(), uuidv7()];
  const mine = await openReplica(browserStores, user, 0);
  const epochs = [replicaEpoch - 1, replicaEpoch + 1];
  for (const each of [user, other])
    for (const epoch of epochs) (await browserStores.open({ ...rowSchema(each, epoch), versions: [{ meta: '&k' }] })).close();
  const held = async () => {
    const names = await browserStores.names();
    return [user, other].map((each) => [replicaEpoch, ...epochs].filter((epoch) => names.includes(replicaName(each, epoch))));
  };
  await dropOlderCopies(mine);
  expect(await held()).toEqual([[replicaEpoch, replicaEpoch + 1], epochs]);
  closeReplica(mine);
  await deleteRows(browserStores, user);
  expect(await held()).toEqual([[], epochs]);
  expect(await browserStores.names()).toContain(outboxSchema(user).name);
});

test.each([
  ['tieout-replica-a-e12', 12],
  ['tieout-replica-a-e1-e2', null],
  ['tieout-replica-a-e', null],
  ['tieout-replica-a-e01', null],
  ['tieout-replica-aa-e1', null],
  ['tieout-outbox-a', null],
])('[PW16] by its name it is known whose copy is of which epoch: %s', (name, epoch) => {
  expect(epochOf(name, 'a')).toBe(epoch);
});
