import { afterEach, expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { type DeviceTables, deviceSchema } from '#replica/device-tables.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { SegmentRecord } from '#replica/row-tables.ts';
import { DamagedSetError, type SetKey } from '#replica/set-errors.ts';
import { setRevisions } from '#replica/watch.ts';
import { ColumnSets } from '#workers/column-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { losing, someSets } from '#tests/support/some-sets.ts';
import { listed, planted } from '#tests/support/stored.ts';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

const now = Date.parse('2026-01-01T00:00:00Z');
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const rows = (count: number): Transaction[] =>
  Array.from({ length: count }, (_, index) =>
    aPulledRow({ id: `row-${String(index).padStart(6, '0')}`, trx_date: new Date(now - index * 60_000).toISOString() }),
  );

test('[CS14] a worker that met damage and may not mend it has the set anew once another one mended it', async () => {
  const replica = await openReplica(browserStores, `mended ${performance.now()}`, now);
  open.push(replica);
  const ports = { replica, breathe, now: () => now, onMended: () => undefined, onFound: () => undefined, onUnread: () => undefined };
  const writer = new ColumnSets({ ...ports, isWriter: () => true });
  const other = new ColumnSets({ ...ports, isWriter: () => false });
  const held = await writer.transactions('c');
  // more than are there at once when a set is opened: the rest is read behind them
  const made = rows(26_000);
  for (let from = 0; from < made.length; from += 2_000) await held.apply(made.slice(from, from + 2_000));
  await held.rest(() => true);
  const hot = (await listed(replica.rows, 'segments')).filter(({ tier }) => tier === 'hot');
  const newestOf = ({ segment }: SegmentRecord): number => (segment as { newest?: number }).newest ?? 0;
  const oldest = hot.toSorted((a, b) => newestOf(a) - newestOf(b))[0]!;
  (oldest.segment as { hot: { key: Uint32Array } }).hot.key[17] = 0;
  await planted(replica.rows, 'segments', [oldest]);

  const damaged = await other.transactions('c');
  const error = await damaged.whole.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(DamagedSetError);
  await writer.mend(error as DamagedSetError);
  const read: SetKey[] = [];
  await other.catchUp(await setRevisions(replica.rows), (key) => read.push(key));
  expect(read).toEqual([held.key]);
  const { selection } = await (await other.transactions('c')).select(() => ({}));
  expect(selection.count).toBe(26_000);
});

test('[CS29] where one set of another worker cannot be read again the others are, and it is the next time', async () => {
  const replica = await openReplica(browserStores, `again ${performance.now()}`, now);
  open.push(replica);
  const ports = { breathe, now: () => now, onMended: () => undefined, onFound: () => undefined, onUnread: () => undefined };
  const writer = new ColumnSets({ ...ports, replica, isWriter: () => true });
  let isClosed = false;
  const read: Replica['rows']['read'] = (tables, work) => {
    const closing = isClosed ? Promise.reject(new DOMException('The database connection is closing', 'InvalidStateError')) : null;
    isClosed = false;
    return closing ?? replica.rows.read(tables, work);
  };
  const other = new ColumnSets({ ...ports, replica: { ...replica, rows: { ...replica.rows, read } }, isWriter: () => false });
  for (const client of ['one', 'two']) {
    await (await writer.transactions(client)).apply(rows(3));
    await other.transactions(client);
    await (await writer.transactions(client)).apply(rows(5));
  }
  const again: string[] = [];
  const catchUp = async (): Promise<void> => other.catchUp(await setRevisions(replica.rows), ({ set }) => again.push(set));
  isClosed = true;
  await expect(catchUp()).rejects.toThrow('closing');
  expect(again).toEqual(['two']);
  await catchUp();
  expect(again).toEqual(['two', 'one']);
});

test('[CS29] one that could not even be opened is told of with what is read next', async () => {
  const replica = await openReplica(browserStores, `opened ${performance.now()}`, now);
  open.push(replica);
  const ports = { replica, breathe, now: () => now, onMended: () => undefined, onFound: () => undefined, onUnread: () => undefined };
  const writer = new ColumnSets({ ...ports, isWriter: () => true });
  const other = new ColumnSets({ ...ports, isWriter: () => false });
  await (await writer.transactions('c')).apply(rows(3));
  await other.transactions('c');
  await (await writer.transactions('c')).apply(rows(5));
  const [manifest] = await listed(replica.rows, 'manifests');
  if (!manifest) throw new Error('A set has a manifest');
  await planted(replica.rows, 'manifests', [{ ...manifest, format: 'of another build' }]);
  const told: string[] = [];
  const catchUp = async (): Promise<void> => other.catchUp(await setRevisions(replica.rows), ({ set }) => told.push(set));
  await expect(catchUp()).rejects.toBeInstanceOf(DamagedSetError);
  expect(told).toEqual([]);
  await planted(replica.rows, 'manifests', [manifest]);
  await catchUp();
  expect(told).toEqual(['c']);
});

test('[CS32] one that whoever looks at it cannot open is tried again until it can be read, and then told of', async () => {
  const replica = await openReplica(browserStores, `unread ${performance.now()}`, now);
  open.push(replica);
  let unread = 0;
  const writer = someSets(replica, { now: () => now });
  const other = someSets(replica, { now: () => now, isWriter: () => false, onUnread: () => (unread += 1) });
  const held = await writer.transactions('c');
  await held.apply(rows(3));
  const shown: number[] = [];
  const look = async (): Promise<void> => {
    const { selection } = await (await other.transactions('c')).select(() => ({}));
    shown.push(selection.count);
  };
  /** Those who look ask again a moment after they are told, and fail once more where it cannot be read. @returns how many were told. */
  const catchUp = async (isLookedAt = true): Promise<number> => {
    const told: SetKey[] = [];
    await other.catchUp(await setRevisions(replica.rows), (key) => told.push(key));
    if (isLookedAt) await Promise.allSettled(told.map(look));
    return told.length;
  };
  await look();
  await held.apply(rows(8));
  const damaged = async (): Promise<void> => {
    const [manifest] = await listed(replica.rows, 'manifests');
    await planted(replica.rows, 'manifests', [{ ...manifest!, format: 'of another build' }]);
  };
  await damaged();
  await expect(catchUp()).rejects.toBeInstanceOf(DamagedSetError);
  expect([await catchUp(), await catchUp()]).toEqual([1, 1]);
  expect([shown, unread]).toEqual([[3], 3]);
  // it has all of it in memory, and writes over what was damaged
  await held.apply(rows(12));
  expect([await catchUp(), await catchUp()]).toEqual([1, 0]);
  expect([shown, unread]).toEqual([[3, 12], 3]);

  await held.apply(rows(15));
  await damaged();
  await expect(catchUp()).rejects.toBeInstanceOf(DamagedSetError);
  // left meanwhile, it is tried no more
  expect([await catchUp(false), await catchUp(false), unread]).toEqual([1, 0, 4]);
});

test('[CS32] that somebody opened it meanwhile is told to those who could not', async () => {
  const replica = await openReplica(browserStores, `unread by one ${performance.now()}`, now);
  open.push(replica);
  await (await someSets(replica, { now: () => now }).transactions('c')).apply(rows(3));
  const [manifest] = await listed(replica.rows, 'manifests');
  await planted(replica.rows, 'manifests', [{ ...manifest!, format: 'of another build' }]);
  const other = someSets(replica, { now: () => now, isWriter: () => false });
  await expect(other.transactions('c')).rejects.toBeInstanceOf(DamagedSetError);
  await planted(replica.rows, 'manifests', [manifest!]);
  await other.transactions('c');
  const told: string[] = [];
  await other.catchUp(await setRevisions(replica.rows), ({ set }) => told.push(set));
  expect(told).toEqual(['c']);
});

test('[CS17] what codes stand for is made anew from the rows where it is not what was written, and that is told; of an older build it is read as ever', async () => {
  const replica = await openReplica(browserStores, `names ${performance.now()}`, now);
  open.push(replica);
  const told: string[] = [];
  const sets = (isWriter: boolean) =>
    new ColumnSets({
      replica,
      breathe,
      now: () => now,
      isWriter: () => isWriter,
      onMended: ({ part }) => void told.push(part),
      onFound: () => undefined,
      onUnread: () => undefined,
    });
  const held = await sets(true).transactions('c');
  const made = rows(600).map((row, index) => ({ ...row, account_id: `account ${index % 3}` }));
  await held.apply(made);
  await held.rest(() => true);
  const names = async () => (await listed(replica.rows, 'segments')).find(({ tier }) => tier === 'names')!;
  const counts = async (isWriter: boolean) => {
    const set = await sets(isWriter).transactions('c');
    const countOf = async (account: string) =>
      (await set.select(() => ({ where: [{ column: 'account_id', in: [account] }] }))).selection.count;
    return Promise.all(['account 0', 'account 1', 'account 2', 'account 3'].map(countOf));
  };
  const losses = async (): Promise<number> => {
    const device = await replica.host.open<DeviceTables>(deviceSchema);
    const noted = await listed(device, 'loss_audit');
    device.close();
    return noted.length;
  };
  const lost = await losses();
  const whole = [200, 200, 200, 0];
  expect(await counts(false)).toEqual(whole);
  const written = await names();
  const { account_id, ...others } = written.segment as Record<string, (string | null)[]>;
  const [none, first, second, third] = account_id!;
  const damages = [
    { ...others, account_id: [none, first, second, 'account 3'] },
    { ...others, account_id: [none, second, first, third] },
    { ...others, account_id: [none, first, second] },
    { ...others, account_id: [none, first, second, null] },
    { ...others, account_id: 7 },
    others,
  ];
  for (const [index, segment] of damages.entries()) {
    await planted(replica.rows, 'segments', [{ ...written, segment }]);
    await expect(counts(false)).rejects.toThrow(DamagedSetError);
    expect(await counts(true)).toEqual(whole);
    expect(await names()).toEqual(written);
    expect(told).toHaveLength(index + 1);
  }
  expect(await losses()).toBe(lost + damages.length);
  const { checksum: _, ...ofOlder } = written;
  await planted(replica.rows, 'segments', [ofOlder]);
  expect(await counts(false)).toEqual(whole);
  const again = await sets(true).transactions('c');
  await again.apply(rows(1_200).slice(600));
  await again.rest(() => true);
  expect(await names()).toHaveProperty('checksum');
});

test('[CS19] a set that turns out to have other rows than was known is told of, by whatever it was found out', async () => {
  const opened = await openReplica(browserStores, `found ${performance.now()}`, now);
  open.push(opened);
  const { replica, lost } = losing(opened);
  const found: string[] = [];
  const onFound = ({ noun, set }: SetKey): void => void found.push(`${noun} ${set}`);
  const sets = someSets(replica, { now: () => now, onFound });
  const set = await sets.transactions('c');
  await lost(() => expect(set.apply(rows(2))).rejects.toThrow('The connection is lost'));
  expect((await set.select(() => ({}))).selection.count).toBe(0);
  await sets.rest(() => true);
  expect((await set.select(() => ({}))).selection.count).toBe(2);
  await sets.rest(() => true);
  await set.apply(rows(3));
  expect(found).toEqual(['transactions c']);
});

test('[CS24] an edit lies over the rows of one client though those of another are damaged, which are mended', async () => {
  const replica = await openReplica(browserStores, `damaged ${performance.now()}`, now);
  open.push(replica);
  const mended: DamagedSetError[] = [];
  const sets = someSets(replica, { now: () => now, onMended: (error) => void mended.push(error) });
  for (const client of ['a', 'b']) {
    const set = await sets.transactions(client);
    await set.apply(rows(1_000).map((row) => ({ ...row, id: `${client} ${row.id}` })));
    await set.rest(() => true);
  }
  const [record] = (await listed(replica.rows, 'cold')).filter(({ set, no }) => set === 'a' && no === 3);
  await planted(replica.rows, 'cold', [{ ...record!, rows: new Uint8Array(8) }]);
  const edits = ['a', 'b'].map((client, at): OutboxRow => {
    const input = { trx_id: `${client} row-000200`, counterpart_id: null, is_transfer: true };
    return { id: client, seq: at, name: 'markTransfer', input, state: 'queued' } as unknown as OutboxRow;
  });
  await sets.overlay(edits);
  const { selection } = await (await sets.transactions('b')).select(() => ({}));
  expect(selection.window(0, 1_000).overlaid.filter((is) => is === 1)).toHaveLength(1);
  expect(mended.map(({ key }) => key.set)).toEqual(['a']);
});
