import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { deviceSchema, withDevice } from '#replica/device-tables.ts';
import type { StoreHost } from '#replica/store.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, deleteOutbox, deleteRows, openReplica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { outboxSchema, type OutboxTables } from '#replica/outbox-tables.ts';
import { unsentOf } from '#replica/unsent.ts';
import { takeUserKey } from '#replica/user-keys.ts';

/** What a user finds of theirs on the device, who leaves something there. */
async function visit(userId: string, left: string): Promise<{ rows: unknown; edits: string[] }> {
  const { rows, outbox, ...replica } = await openReplica(browserStores, userId, 0);
  try {
    const found = await rows.read(['meta'], (tx) => tx.get('meta', 'mine'));
    const edits = (await pendingMutations(outbox)).map(({ title }) => title);
    await rows.write(['meta'], (tx) => tx.put('meta', { k: 'mine', value: left }));
    const id = uuidv7();
    const input = { id, name: left, list: 'transactions' as const, search: '' };
    await enqueue(outbox, { id, name: 'saveView', input, title: left, now: 1, clientId: null, entityId: null });
    return { rows: found?.value, edits };
  } finally {
    closeReplica({ rows, outbox, ...replica });
  }
}

test('[SE63] two people whose ids differ in nothing but case or signs share neither rows nor edits', async () => {
  const [one, other] = ['Anna.B@firm', 'anna_b@FIRM'];
  expect(await visit(one, 'hers')).toEqual({ rows: undefined, edits: [] });
  expect(await visit(other, 'theirs')).toEqual({ rows: undefined, edits: [] });
  expect(await visit(one, 'more')).toEqual({ rows: 'hers', edits: ['hers'] });
  expect(await visit(other, 'more')).toEqual({ rows: 'theirs', edits: ['theirs'] });
  await Promise.all([deleteRows(browserStores, other), deleteOutbox(browserStores, other)]);
  expect(await unsentOf(browserStores, other)).toEqual([]);
  expect(await visit(one, 'last')).toEqual({ rows: 'more', edits: ['hers', 'more'] });
});

test('[SE63] of two who open theirs at once one has the name, and the other their own', async () => {
  const [one, other] = ['C.D', 'c_d'];
  const [first, second] = await Promise.all([takeUserKey(browserStores, one), takeUserKey(browserStores, other)]);
  expect(first).not.toBe(second);
  expect([await takeUserKey(browserStores, one), await takeUserKey(browserStores, other)]).toEqual([first, second]);
});

test('[SE63] edits that wait from a build before are still their person’s', async () => {
  const outbox = await browserStores.open<OutboxTables>(outboxSchema('e_f'));
  const id = uuidv7();
  const input = { id, name: 'View', list: 'transactions' as const, search: '' };
  await enqueue(outbox, { id, name: 'saveView', input, title: 'from before', now: 1, clientId: null, entityId: null });
  outbox.close();
  expect((await visit('E.F', 'now')).edits).toEqual(['from before']);
});

test('[SE63] a device without room for the name opens what its person has all the same', async () => {
  expect((await visit('G.H', 'first')).edits).toEqual([]);
  await withDevice(browserStores, (device) => device.write(['device'], (tx) => tx.remove('device', 'owner g_h')));
  const full: StoreHost = {
    ...browserStores,
    open: async (schema) => {
      const store = await browserStores.open(schema);
      const write = () => Promise.reject(new DOMException('Full', 'QuotaExceededError'));
      return schema.name === deviceSchema.name
        ? ({ ...store, read: store.read.bind(store), write, close: () => store.close() } as never)
        : (store as never);
    },
  };
  const replica = await openReplica(full, 'G.H', 0);
  expect((await pendingMutations(replica.outbox)).map(({ title }) => title)).toEqual(['first']);
  closeReplica(replica);
});
