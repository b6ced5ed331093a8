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
  const input = { trx_id: nameOf(5), counterpart_id: null, is_transfer: true };
  once('cold', () => set.setEdits(new Map()));
  await set.setEdits(
    new Map([[nameOf(5), [{ id: 'edit', seq: 1, name: 'markTransfer', input, state: 'queued' } as unknown as OutboxRow]]]),
  );
  expect(set.isWhole).toBe(false);
  await set.whole;
  const { selection } = await set.select(() => ({}));
  expect(selection.window(0, 20_000).overlaid.includes(1)).toBe(false);
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
