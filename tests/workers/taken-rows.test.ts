import { afterEach, expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { ClosedSetError, DamagedSetError } from '#replica/set-errors.ts';
import { dropSet, rebuildSet } from '#replica/set-storage.ts';
import { setRevisions } from '#replica/watch.ts';
import type { GridQuery } from '#workers/start.ts';
import { takeRows } from '#workers/taken-rows.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

const start = Date.parse('2026-01-01T00:00:00Z');

const aRow = (index: number): Transaction =>
  aPulledRow({
    id: `row-${String(index).padStart(6, '0')}`,
    trx_date: new Date(start + ((index * 7919) % 100_003) * 1000).toISOString(),
  });

const rows = (from: number, to: number): Transaction[] => Array.from({ length: to - from }, (_, index) => aRow(from + index));
const query: GridQuery = { clientIds: ['c'], filter: noFilter, sort: [], zone: 'UTC' };

async function aSet() {
  const replica = await openReplica(browserStores, `taken ${performance.now()}`, start);
  open.push(replica);
  const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const sets = someSets(replica, { now: () => start });
  const set = await sets.transactions('c');
  return { replica, sets, set, breathe };
}

test('[EX12] rows sealed while their order is taken are taken anew; sealed later they are still found, each once and in order', async () => {
  const { sets, set, breathe, replica } = await aSet();
  for (let from = 0; from < 20_000; from += 2_500) await set.apply(rows(from, from + 2_500));
  let breaths = 0;
  const taken = await takeRows(
    {
      replica,
      sets,
      breathe: async () => {
        breaths += 1;
        // enough to be sealed between the first window and the next
        if (breaths === 3) await set.apply(rows(20_000, 29_000));
        await breathe();
      },
    },
    query,
  );
  expect(taken.totals.count).toBe(29_000);
  // and sealed again before they are read
  await set.apply(rows(29_000, 38_000));
  const read: Transaction[] = [];
  await taken.read({ from: 0, to: 29_000, onRow: (position, row) => void (read[position] = row), step: breathe });
  const wanted = rows(0, 29_000).sort((a, b) => Date.parse(b.trx_date) - Date.parse(a.trx_date) || (a.id < b.id ? 1 : -1));
  expect(read.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
});

test('[EX15] rows taken before they were mended are not looked for where they lay', async () => {
  const { sets, set, breathe, replica } = await aSet();
  await set.apply(rows(0, 300));
  const taken = await takeRows({ replica, sets, breathe }, query);
  await sets.mend(new DamagedSetError(set.key, 'columns', 'planted'));
  await expect(taken.read({ from: 0, to: 10, onRow: () => undefined, step: breathe })).rejects.toThrow(ClosedSetError);
});

test.each([true, false])(
  '[EX15] rows that another worker lets go of and fetches anew meanwhile are never given in the place of those that were taken: heard of it %s',
  async (isHeard) => {
    const name = `taken ${performance.now()}`;
    const [writer, reader] = [await openReplica(browserStores, name, start), await openReplica(browserStores, name, start)];
    open.push(writer, reader);
    const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const [written, seen] = [someSets(writer, { now: () => start }), someSets(reader, { now: () => start, isWriter: () => false })];
    await (await written.transactions('c')).apply(rows(0, 1_000));
    const taken = await takeRows({ replica: reader, sets: seen, breathe }, query);
    await written.without(['c'], () => dropSet(writer, { noun: 'transactions', set: 'c' }));
    await (await written.transactions('c')).apply(rows(0, 1_000).reverse());
    if (isHeard) await seen.catchUp(await setRevisions(reader.rows), () => undefined);
    await expect(taken.read({ from: 0, to: 1_000, onRow: () => undefined, step: breathe })).rejects.toThrow(DamagedSetError);
    // and damaged columns are made anew from rows whose numbers do not begin with 0
    await rebuildSet(writer, columnNouns.transactions, 'c', breathe);
    const [again, whole] = [await openReplica(browserStores, name, start), [] as Transaction[]];
    open.push(again);
    const anew = await takeRows({ replica: again, sets: someSets(again, { now: () => start }), breathe }, query);
    await anew.read({ from: 0, to: 1_000, onRow: (position, row) => void (whole[position] = row), step: breathe });
    expect(new Set(whole.map(({ id }) => id)).size).toBe(1_000);
  },
);
