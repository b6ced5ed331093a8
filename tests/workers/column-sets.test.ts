import { afterEach, expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { SegmentRecord } from '#replica/row-tables.ts';
import { DamagedSetError } from '#replica/set-errors.ts';
import { setRevisions } from '#replica/watch.ts';
import { ColumnSets } from '#workers/column-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
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
  const ports = { replica, breathe, now: () => now, onMended: () => undefined };
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
  expect(await other.catchUp(await setRevisions(replica.rows))).toEqual([held.key]);
  const { selection } = await (await other.transactions('c')).select(() => ({}));
  expect(selection.count).toBe(26_000);
});
