import { afterAll, expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { noFilter, type TextField, type TransactionFilter } from '#domain/transaction-filter.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { totalsOf as totalsOfSelected, totalsWithout } from '#app/screens/transactions/selection-totals.ts';
import { answerOf, rowsOf, totalsOf } from '#workers/grid-answer.ts';
import { columnQuery, ranksOfSets } from '#workers/grid-query.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { someSets } from '#tests/support/some-sets.ts';

const replica = await openReplica(browserStores, `forms ${performance.now()}`, 0);
afterAll(() => closeReplica(replica));
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
let clients = 0;

/** Rows of a client of their own, and what a filter finds of them. */
async function aList(rows: readonly Partial<Transaction>[]) {
  const client = `client ${++clients}`;
  const sets = someSets(replica, { now: () => 0 });
  const set = await sets.transactions(client);
  const trx_date = '2026-01-01T00:00:00.000Z';
  await set.apply(rows.map((row, index) => aPulledRow({ id: String(index), trx_date, ...row })));
  const answer = (filter: Partial<TransactionFilter>) =>
    answerOf({ replica, sets, breathe }, { clientIds: [client], filter: { ...noFilter, ...filter }, sort: [], zone: 'UTC' });
  const found = async (filter: Partial<TransactionFilter>) => {
    const one = await answer(filter);
    const got = await rowsOf({ replica, sets, breathe }, one, { offset: 0, limit: one.rows.count });
    return got.map(({ id }) => id).sort();
  };
  return { answer, found };
}

const part = (field: TextField, contains: string, not = false): Partial<TransactionFilter> => ({
  fields: [{ kind: 'text', field, contains, ...(not ? { not } : {}) }],
});

test('[GR71] an address or a hash is found by search and filter with or without 0x, in whichever way it is stored', async () => {
  const address = 'd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const hash = 'ab'.repeat(32);
  const { found } = await aList([
    { from_address: address.toLowerCase() },
    { from_address: `0x${address}` },
    { tx_hash: hash },
    { tx_hash: `0x${hash}` },
    { from_address: 'bc1qxy2k', tx_hash: '0xabc' },
  ]);
  for (const typed of [address, `0x${address}`, `0X${address.toUpperCase()}`]) {
    expect(await found({ text: typed })).toEqual(['0', '1']);
    expect(await found(part('from_address', typed))).toEqual(['0', '1']);
    expect(await found(part('from_address', typed, true))).toEqual(['2', '3', '4']);
  }
  for (const typed of [hash, ` 0x${hash} `]) expect(await found({ text: typed })).toEqual(['2', '3']);
  expect(await found(part('tx_hash', `0X${hash}`))).toEqual(['2', '3']);
  expect(await found(part('tx_hash', '0xab'))).toEqual(['3', '4']);
});

test('[GR72] letters that look the same are found, however they are composed where they are typed and where they are stored', async () => {
  const forms = ['Café Nguyễn', 'Cafe\u0301 Nguye\u0302\u0303n', 'CAFÉ NGUYÊ\u0303N'];
  const { found } = await aList([...forms.map((description) => ({ description })), { description: 'Cafeteria' }, { description: null }]);
  for (const typed of forms) {
    expect(await found({ text: typed })).toEqual(['0', '1', '2']);
    expect(await found(part('description', typed))).toEqual(['0', '1', '2']);
    expect(await found(part('description', typed, true))).toEqual(['3', '4']);
  }
});

test.each([
  ['Bengali', '\u09df'],
  ['Hebrew', '\ufb2a'],
  ['a Chinese sign of another standard', '\uf914'],
  ['Arabic marks in another order', '\u0628\u0651\u064e'],
])('[GR72] so are letters that are others once they are composed: %s', async (_, letters) => {
  const { found } = await aList([{ description: `x${letters}y` }, { description: 'xy' }, { description: null }]);
  expect(await found({ text: letters })).toEqual(['0']);
  expect(await found(part('description', letters, true))).toEqual(['1', '2']);
});

test.each(['ΜΙΣ', 'ΜΙΣΘ', 'ΣΘ', 'Σ', 'ΣΘΟΔΟΣ', 'ΘΟΔΟΣ 1', 'Σ 1', 'μισ', 'ς'])(
  '[GR72] nor does it matter which letters stand around a sigma that was typed: %s',
  async (typed) => {
    const { found } = await aList([{ description: 'ΜΙΣΘΟΔΟΣΙΑ ΜΙΣΘΟΔΟΣ 12/2025' }, { description: 'ΑΛΛΟ' }, { description: null }]);
    expect(await found({ text: typed })).toEqual(['0']);
    expect(await found(part('description', typed))).toEqual(['0']);
    expect(await found(part('description', typed, true))).toEqual(['1', '2']);
  },
);

test('[GR72] a text that columns of an earlier version have apart is looked for so, too, and one of plain letters once', () => {
  const names = { entities: new Map(), accounts: new Map([['x', 'Ge\u0301ne\u0300ve']]), custodians: new Map(), securities: new Map() };
  const ranks = ranksOfSets([() => [null]], names)[0]!;
  const asked = (text: string) => {
    const [any] = columnQuery({ clientIds: ['c'], filter: { ...noFilter, text }, sort: [], zone: 'UTC' }, names, ranks).where ?? [];
    return any && 'any' in any
      ? any.any.flatMap((one) => ('contains' in one && one.column === 'description' ? one.contains : 'in' in one ? one.in : []))
      : [];
  };
  expect(asked('Genève')).toEqual(['genève', 'gene\u0300ve']);
  expect(asked('génève')).toContain('x');
  expect(asked('Kraken')).toEqual(['Kraken']);
});

test('[AM9] rows without a US dollar value are counted by their flag alike in a list, a selection and all rows but a few', async () => {
  const rows = [
    aPulledRow({ id: '0', trx_date: '2026-01-01T00:00:00.000Z', usd_value: null, unpriced_trx: false }),
    aPulledRow({ id: '1', trx_date: '2026-01-01T00:00:00.000Z', usd_value: null, unpriced_trx: true }),
    aPulledRow({ id: '2', trx_date: '2026-01-01T00:00:00.000Z', usd_value: '5', unpriced_trx: true }),
  ];
  const { answer } = await aList(rows);
  const all = totalsOf(await answer({}));
  expect([all.unpriced, totalsOfSelected(rows).unpriced]).toEqual([2, 2]);
  expect(rows.map((row) => totalsWithout(all, [row]).unpriced)).toEqual([2, 1, 1]);
});
