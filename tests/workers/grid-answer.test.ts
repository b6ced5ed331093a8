import { expect, test } from 'vitest';
import { noFilter } from '#domain/transaction-filter.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { answerAgain, answerOf, facetsOf, rowsOf } from '#workers/grid-answer.ts';
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

test('[LS14] what is counted of several clients is of all of them, be it that the rows of one are sorted into place while another one is read', async () => {
  const opened = await openReplica(browserStores, `several ${performance.now()}`, 0);
  const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const sets = someSets(opened, { now: () => 0 });
  const [one, other] = [await sets.transactions('one'), await sets.transactions('other')];
  await one.apply(someRows(0, 600, ['m']));
  await other.apply(someRows(600, 5, ['a']));
  const select = other.select.bind(other);
  other.select = async (make) => {
    other.select = select;
    // once the rows of the first are chosen
    await breathe();
    await one.rest(() => true);
    return select(make);
  };
  const query: GridQuery = { clientIds: ['one', 'other'], filter: noFilter, sort: [], zone: 'UTC' };
  expect(await facetsOf({ replica: opened, sets, breathe }, query, 'account')).toEqual([
    { value: 'm', count: 600 },
    { value: 'a', count: 5 },
  ]);
  closeReplica(opened);
});
