import { expect, test } from 'vitest';
import { daysOf, filterOf, monthOf, readTransactionSearch, sortOf } from '#app/screens/transactions/transaction-search.ts';

const now = Date.parse('2026-03-01T03:00:00Z');

test('[TF1] an address that holds nothing of a filter drops nothing and shows the previous month', () => {
  expect(readTransactionSearch({})).toEqual({ search: {}, dropped: [] });
  expect(daysOf({}, now, 'UTC')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  // in New York it is still February
  expect(daysOf({}, now, 'EST')).toEqual({ from: '2026-01-01', to: '2026-01-31' });
});

test('[TF1] what means nothing is dropped and named, and never stops the rest', () => {
  const raw = {
    entity: 'e1',
    typ: '9',
    from: '2026-02-31',
    type: '3,5,banana',
    sort: 'colour',
    manual: 'maybe',
    q: 'x'.repeat(201),
    account: 'a,b',
    unpriced: 'only',
  };
  expect(readTransactionSearch(raw)).toEqual({
    search: { entity: 'e1', type: '3', account: 'a,b', unpriced: 'only' },
    dropped: ['typ', 'from', 'type', 'sort', 'manual', 'q'],
  });
});

const harmless: Record<string, unknown>[] = [
  { from: {} },
  { q: ['a'] },
  { entity: '<script>' },
  { account: '../..' },
  { constructor: 'x' },
  { __proto__x: '1' },
];
test.each(harmless.map((raw) => ({ raw })))('[TF1] $raw is dropped without harm', ({ raw }) => {
  expect(readTransactionSearch(raw).search).toEqual('q' in raw ? { q: '["a"]' } : {});
});

test('[TF1] days in the wrong order are both dropped', () => {
  expect(readTransactionSearch({ from: '2026-03-02', to: '2026-03-01' })).toEqual({ search: {}, dropped: ['from', 'to'] });
});

test('[TF2] an address becomes the filter it stands for', () => {
  const { search } = readTransactionSearch({
    account: 'a,b',
    type: '3',
    manual: 'not',
    unpriced: 'only',
    dates: 'all',
    q: 'abc',
    sort: '-usd_value,price',
  });
  expect(filterOf(search, 'e1', now, 'UTC')).toEqual({
    entity_ids: ['e1'],
    from: null,
    to: null,
    fields: [
      { kind: 'list', field: 'account', values: ['a', 'b'] },
      { kind: 'list', field: 'type', values: ['3'] },
      { kind: 'flag', field: 'manual_trx', is: false },
      { kind: 'flag', field: 'unpriced_trx', is: true },
    ],
    text: 'abc',
    hashes: [],
  });
  expect(sortOf(search)).toEqual([
    { field: 'usd_value', ascending: false },
    { field: 'price', ascending: true },
  ]);
});

test('[TF2] a month ends on its own last day', () => {
  expect(monthOf(Date.parse('2028-02-10T00:00:00Z'), 'UTC')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(monthOf(Date.parse('2026-12-31T23:30:00Z'), 'CET')).toEqual({ from: '2027-01-01', to: '2027-01-31' });
});
