import { afterEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { columnNouns } from '#replica/column-nouns.ts';
import { ColumnSet } from '#replica/column-set.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { dropSet } from '#replica/set-storage.ts';
import { betweenReads } from '#tests/support/between-reads.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { listed } from '#tests/support/stored.ts';

// What happens to a set while somebody reads it.

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const nameOf = (no: number): string => `row-${String(no).padStart(6, '0')}`;
const someRows = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    aPulledRow({
      id: nameOf(from + at),
      trx_date: new Date(Date.UTC(2026, 0, 1) - (from + at) * 60_000).toISOString(),
      description: 'fee',
    }),
  );

/** An edit that waits. */
const aMark = (no: number): OutboxRow =>
  ({
    id: 'edit',
    seq: 1,
    name: 'markTransfer',
    input: { trx_id: nameOf(no), counterpart_id: null, is_transfer: true },
    state: 'queued',
  }) as unknown as OutboxRow;

async function aReplica(): Promise<Replica> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  return replica;
}

const openSet = (replica: Replica) => ColumnSet.open({ replica, noun: columnNouns.transactions, set: 'c', breathe });
const countOf = async (set: Awaited<ReturnType<typeof openSet>>): Promise<number> => (await set.select(() => ({}))).selection.count;

test('[CS20] rows that are in memory when a reading begins are there at its end, be it that memory is emptied meanwhile', async () => {
  const { replica, once } = betweenReads(await aReplica());
  const set = await openSet(replica);
  await set.apply(someRows(0, 1_024));
  const [first, far] = [nameOf(0), nameOf(900)];
  await set.heldOf([first]);
  once('cold', () => set.reload());
  expect((await set.heldOf([first, far])).map(({ id }) => id)).toEqual([first, far]);
});

test('[CS21] a sorting of which nobody knows whether it was stored loses no row, though what is stored cannot be read right after it either', async () => {
  const replica = await aReplica();
  let failures = 0;
  const failing =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (failures === 0) return work(...args);
      failures -= 1;
      throw new Error('The connection is lost');
    };
  const rows = { ...replica.rows, read: failing(replica.rows.read), write: failing(replica.rows.write) } as Replica['rows'];
  const set = await openSet({ ...replica, rows });
  await set.apply(someRows(0, 1_000));
  await expect(
    set.rest(() => {
      failures = 2;
      return true;
    }),
  ).rejects.toThrow('The connection is lost');
  expect(failures).toBe(0);
  await set.apply(someRows(1_000, 1_000));
  await set.rest(() => true);
  expect([await countOf(set), await countOf(await openSet(replica))]).toEqual([2_000, 2_000]);
});

test('[CS22] an edit that is gone by the time it lies over a set which is being read lies over it no more', async () => {
  const { replica, once } = betweenReads(await aReplica());
  const writing = await openSet(replica);
  // more than are read first
  for (let at = 0; at < 20_000; at += 1_000) await writing.apply(someRows(at, 1_000));
  await writing.rest(() => true);
  const set = await openSet(replica);
  once('cold', () => set.setEdits(new Map()));
  await set.setEdits(new Map([[nameOf(5), [aMark(5)]]]));
  expect(set.isWhole).toBe(false);
  await set.whole;
  const { selection } = await set.select(() => ({}));
  expect(selection.window(0, 20_000).overlaid.includes(1)).toBe(false);
});

test('[CS31] what is read again is asked once the edits lie over it; where they could not be laid it counts as not read', async () => {
  const { replica, once } = betweenReads(await aReplica());
  const writing = await openSet(replica);
  await writing.apply(someRows(0, 1_000));
  const set = await openSet(replica);
  await set.whole;
  await set.setEdits(new Map([[nameOf(5), [aMark(5)]]]));
  const edited = async (): Promise<number> => {
    const { selection } = await set.select(() => ({}));
    return [...selection.window(0, selection.count).overlaid].filter((is) => is === 1).length;
  };
  await writing.apply(someRows(1_000, 500));
  const asked: Promise<number>[] = [];
  // the rows are there by then, and the edited one is read to be laid over
  once('cold', async () => void asked.push(edited()));
  await set.reload();
  expect([await Promise.all(asked), await edited()]).toEqual([[1], 1]);

  await writing.apply(someRows(1_500, 500));
  once('cold', () => Promise.reject(new Error('The connection is lost')));
  await expect(set.reload()).rejects.toThrow('The connection is lost');
  expect(set.storedRev).not.toBe(writing.storedRev);
  await set.reload();
  expect([await edited(), set.storedRev]).toEqual([1, writing.storedRev]);
});

test('[CS31] the numbers of dropped records are given to no others, be it that one before them was lost', async () => {
  const replica = await aReplica();
  const set = await openSet(replica);
  await set.apply(someRows(0, 400));
  await set.close();
  const numbers = await replica.rows.write(['cold'], async (tx) => {
    const keys = await tx.keys('cold');
    await tx.removeMany('cold', keys.slice(1, 2));
    return keys.map(([, , no]) => no);
  });
  await dropSet(replica, set.key);
  const [manifest] = await listed(replica.rows, 'manifests');
  expect([numbers.length > 3, manifest?.first_no]).toEqual([true, Math.max(...numbers) + 1]);
});

test('[CS31] nothing that was asked of a set is true of it once it is closed', async () => {
  const set = await openSet(await aReplica());
  await set.apply(someRows(0, 10));
  const selected = await set.select(() => ({}));
  expect(set.isFresh(selected)).toBe(true);
  await set.close();
  expect(set.isFresh(selected)).toBe(false);
});

test('[CS23] whoever searches a set that is dropped meanwhile is told that it was closed, not that it is damaged', async () => {
  const { replica, once } = betweenReads(await aReplica());
  const writing = await openSet(replica);
  await writing.apply(someRows(0, 1_000));
  await writing.rest(() => true);
  const set = await openSet(replica);
  await set.whole;
  once('segments', async () => {
    await set.close();
    await dropSet(replica, set.key);
  });
  const searching = set.select(() => ({ where: [{ any: [{ column: 'description', contains: 'fee' }] }] }));
  await expect(searching).rejects.toBeInstanceOf(ClosedSetError);
});
