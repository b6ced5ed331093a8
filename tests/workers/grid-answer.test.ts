import { expect, test } from 'vitest';
import { noFilter } from '#domain/transaction-filter.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { answerAgain, answerOf, rowsOf } from '#workers/grid-answer.ts';
import type { GridQuery } from '#workers/start.ts';
import { betweenReads } from '#tests/support/between-reads.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { someSets } from '#tests/support/some-sets.ts';

const someRows = (from: number, count: number, accounts: readonly string[]) =>
  Array.from({ length: count }, (_, at) => {
    const trx_date = new Date(Date.UTC(2026, 0, 1) - (from + at) * 60_000).toISOString();
    return aPulledRow({ id: `row-${from + at}`, trx_date, account_id: accounts[at % accounts.length] ?? '', description: 'fee' });
  });

test('[GR66] rows of an account that comes while a search is read stand where its name does', async () => {
  const opened = await openReplica(browserStores, `names ${performance.now()}`, 0);
  const { replica, once } = betweenReads(opened);
  const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const former = await someSets(replica, { now: () => 0 }).transactions('c');
  await former.apply(someRows(0, 1_000, ['m', 'z']));
  await former.rest(() => true);
  const sets = someSets(replica, { now: () => 0 });
  const set = await sets.transactions('c');
  await set.whole;
  const ports = { replica, sets, breathe };
  const query: GridQuery = {
    clientIds: ['c'],
    filter: { ...noFilter, text: 'fee' },
    sort: [{ field: 'account', ascending: true }],
    zone: 'UTC',
  };
  once('segments', () => set.apply(someRows(1_000, 5, ['a'])));
  const answer = await answerAgain(ports, await answerOf(ports, query));
  const rows = await rowsOf(ports, answer, { offset: 0, limit: answer.rows.count });
  expect([...new Set(rows.map(({ account_id }) => account_id))]).toEqual(['a', 'm', 'z']);
  closeReplica(opened);
});
