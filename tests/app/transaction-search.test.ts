import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datePresets, presetNames, typedPreset } from '#app/screens/transactions/date-presets.ts';
import { filterFields } from '#app/screens/transactions/filter-fields.ts';
import {
  daysChange,
  daysOf,
  filterAt,
  filterChange,
  filterCount,
  filterOf,
  isNarrowed,
  leavingOutMore,
  noFilters,
  presetChange,
  presetOf,
  readTransactionSearch,
  sortOf,
  type TransactionSearch,
} from '#app/screens/transactions/transaction-search.ts';
import { matchStates, transactionTypes } from '#contract/transaction-codes.ts';
import type { FieldFilter } from '#domain/transaction-filter.ts';

const now = Date.parse('2026-03-01T03:00:00Z');
const scope = { entityIds: ['e1'], hashes: [], now, zone: 'UTC' } as const;

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
    type: '3,5,99,banana',
    sort: 'colour',
    manual: 'maybe',
    q: 'x'.repeat(201),
    account: 'a,b',
    unpriced: 'only',
    usd_value: '1e999',
    match: 'PENDING,MAYBE',
    description: '   ',
    hashes: '<b>',
  };
  expect(readTransactionSearch(raw)).toEqual({
    search: { entity: 'e1', type: '3,5,99', account: 'a,b', unpriced: 'only', match: 'PENDING' },
    dropped: ['typ', 'from', 'type', 'sort', 'manual', 'q', 'usd_value', 'match', 'description', 'hashes'],
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

test('[TF33] days beside a word for a span are dropped and named: the word holds', () => {
  expect(readTransactionSearch({ dates: 'this-month', from: '2026-01-01', to: '2026-01-31' })).toEqual({
    search: { dates: 'this-month' },
    dropped: ['from', 'to'],
  });
  expect(readTransactionSearch({ to: '2026-01-31', dates: 'all' })).toEqual({ search: { dates: 'all' }, dropped: ['to'] });
  expect(readTransactionSearch({ dates: 'some day', from: '2026-01-01' })).toEqual({ search: { from: '2026-01-01' }, dropped: ['dates'] });
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
  expect(filterOf(search, scope)).toEqual({
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

test('[TF2] every kind of filter reads as a person would write it', () => {
  const { search, dropped } = readTransactionSearch({
    account: 'not:a,b',
    security: 'none,s1',
    match: 'PENDING,none',
    usd_value: '>100',
    quantity: '10..50',
    fee_usd: 'not:10-20',
    price: '(1,000)',
    description: 'not:fee',
    tx_hash: '0xAB',
    manual: 'not',
  });
  expect(dropped).toEqual([]);
  expect(filterOf(search, scope).fields).toEqual([
    { kind: 'list', field: 'account', values: ['a', 'b'], not: true },
    { kind: 'list', field: 'security', values: ['', 's1'] },
    { kind: 'list', field: 'match_state', values: ['PENDING', ''] },
    { kind: 'amount', field: 'quantity', range: { atLeast: '10', atMost: '50', size: true } },
    { kind: 'amount', field: 'price', range: { atLeast: '-1000', atMost: '-1000' } },
    { kind: 'amount', field: 'usd_value', range: { above: '100', size: true } },
    { kind: 'amount', field: 'fee_usd', range: { atLeast: '10', atMost: '20', size: true }, not: true },
    { kind: 'text', field: 'description', contains: 'fee', not: true },
    { kind: 'text', field: 'tx_hash', contains: '0xAB' },
    { kind: 'flag', field: 'manual_trx', is: false },
  ]);
});

test('[TF2] hashes in an address are looked for in every form they are written in', () => {
  const hex = 'ab12'.repeat(16);
  expect(filterOf({ hashes: hex }, { ...scope, hashes: [hex, 'tx-1'] }).hashes).toEqual([hex, `0x${hex}`, 'tx-1']);
});

test('[TF2] a span in words moves on with the calendar, the previous month in saying nothing; days stay those days', () => {
  expect(presetChange('previous-month')).toEqual({ dates: undefined, from: undefined, to: undefined });
  expect(daysChange({})).toEqual({ dates: 'all', from: undefined, to: undefined });
  expect(daysChange({ from: '2026-02-02' })).toEqual({ dates: undefined, from: '2026-02-02', to: undefined });
  const at = (search: TransactionSearch, day: string) => daysOf(search, Date.parse(`${day}T12:00:00Z`), 'UTC');
  const february = { from: '2026-02-01', to: '2026-02-28' };
  // typed in March, when that is the previous month, and looked at in June
  for (const day of ['2026-03-10', '2026-06-10']) expect(at(daysChange(february) as TransactionSearch, day)).toEqual(february);
  expect(at({}, '2026-06-10')).toEqual({ from: '2026-05-01', to: '2026-05-31' });
  for (const preset of presetNames) {
    const { search, dropped } = readTransactionSearch(throughAddress(presetChange(preset)));
    expect([presetOf(search), dropped]).toEqual([preset, []]);
    expect(typedPreset(` ${datePresets[preset].toUpperCase()} `)).toBe(preset);
  }
  expect(at({ dates: 'this-quarter' }, '2026-05-05')).toEqual({ from: '2026-04-01', to: '2026-06-30' });
  expect(at({ dates: 'this-quarter' }, '2026-07-05').from).toBe('2026-07-01');
  expect([presetOf({ from: '2026-02-01' }), typedPreset('09/01/2026-09/30/2026')]).toEqual([null, undefined]);
});

const text = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });
const part = text.filter((contains) => contains.trim() !== '' && !/\p{Cc}/u.test(contains));
const amount = fc.tuple(fc.constantFrom('', '-'), fc.integer({ min: 1, max: 1e9 })).map(([sign, digits]) => `${sign}${digits}.5`);
const not = fc.constantFrom({}, { not: true as const });

function filtersOf({ kind, field }: (typeof filterFields)[number]): fc.Arbitrary<FieldFilter> {
  const ids =
    field === 'type'
      ? fc.constantFrom(...Object.keys(transactionTypes))
      : field === 'match_state'
        ? fc.constantFrom(...matchStates, '')
        : fc.oneof(text, fc.uuid(), fc.constantFrom('', 'none', 'not:a', '~', '%41', 'a,b'));
  switch (kind) {
    case 'list':
      return fc
        .tuple(fc.uniqueArray(ids, { minLength: 1, maxLength: 150 }), not)
        .map(([values, sense]) => ({ kind, field, values, ...sense }));
    case 'amount':
      return fc.tuple(amount, not).map(([above, sense]) => ({ kind, field, range: { above }, ...sense }));
    case 'text':
      return fc
        .tuple(fc.oneof(part, fc.constantFrom('not:', 'not:a', ':not:a', ' a ')), not)
        .map(([contains, sense]) => ({ kind, field, contains, ...sense }));
    case 'flag':
      return fc.boolean().map((is) => ({ kind, field, is }));
  }
}

/** What is left of values once they stood in an address bar. */
const throughAddress = (change: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    new URLSearchParams(
      new URLSearchParams(Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== undefined)).toString(),
    ),
  );

test.each(filterFields.map((field) => ({ field })))('[TF12] a filter of $field.key is the same after an address', ({ field }) => {
  fc.assert(
    fc.property(filtersOf(field), (filter) => {
      const { search, dropped } = readTransactionSearch(throughAddress(filterChange(filter)));
      expect(dropped).toEqual([]);
      const read = filterAt(search, field.key);
      const sorted = (one: FieldFilter | null) => (one?.kind === 'list' ? { ...one, values: [...one.values].sort() } : one);
      expect(sorted(read)).toEqual(sorted(filter));
      // read again, it stays as it is
      expect(readTransactionSearch(throughAddress(search as Record<string, string>)).search).toEqual(search);
    }),
    { numRuns: 60 },
  );
});

test('[TF12] five hundred accounts are one filter, and a server takes their address', () => {
  const ids = Array.from(
    { length: 500 },
    (_, index) => `018bf453-9400-7${String(index).padStart(3, '0')}-8426-6694bdb5${String(index).padStart(4, '0')}`,
  );
  const change = filterChange({ kind: 'list', field: 'account', values: ids });
  expect(change.account!.length).toBeLessThan(12_000);
  const { search, dropped } = readTransactionSearch(throughAddress(change));
  expect([filterAt(search, 'account'), dropped]).toEqual([{ kind: 'list', field: 'account', values: ids }, []]);
  // a few are readable
  expect(filterChange({ kind: 'list', field: 'account', values: ids.slice(0, 2) }).account).toBe(ids.slice(0, 2).join(','));
});

test('[TF15] leaving out one value after another leaves them all out and never lets more in; anything else takes the place of what was', () => {
  expect(leavingOutMore({ account: 'not:a' }, { account: 'not:b' })).toEqual({ account: 'not:a,b' });
  expect(leavingOutMore({ account: 'not:a' }, { account: 'b' })).toEqual({ account: 'b' });
  expect(leavingOutMore({ account: 'a,b,c' }, { account: 'not:b' })).toEqual({ account: 'a,c' });
  // nothing would be left, and of a text or an amount only one thing can be said
  expect(leavingOutMore({ account: 'a' }, { account: 'not:a' })).toBe(null);
  expect(leavingOutMore({ account: 'not:a', price: 'not:5' }, { price: 'not:6' })).toBe(null);
  expect(leavingOutMore({ description: 'not:Fee' }, { description: 'not:Rebate' })).toBe(null);
  expect(leavingOutMore({ quantity: '>100' }, { quantity: '150' })).toEqual({ quantity: '150' });
  expect(leavingOutMore({ account: 'not:a' }, { price: 'not:6' })).toEqual({ price: 'not:6' });
});

test('[TF13] whatever stands in an address is read without harm, and what is kept is read again', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.string({
      unit: fc.constantFrom('not:', 'none', '~', '%', '%zz', '%41', ',', 'a', '>', '(', '..', '9', 'kept:', 'AAAAAAAAAAAAAAAAAAAAAA'),
      maxLength: 12,
    }),
    fc.jsonValue(),
  );
  const name = fc.oneof(
    fc.constantFrom(...filterFields.map(({ key }) => key), 'q', 'hashes', 'sort', 'entity', 'client', 'from', 'to', 'dates', 'order'),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (raw) => {
      const { search } = readTransactionSearch(raw);
      filterOf(search, scope);
      sortOf(search);
      expect(readTransactionSearch(search as Record<string, string>)).toEqual({ search, dropped: [] });
    }),
    { numRuns: 1000 },
  );
});

test('[TF13] absurd lengths are dropped', () => {
  const long = 'a,'.repeat(150_000);
  expect(readTransactionSearch({ account: long, hashes: long, usd_value: '1'.repeat(300), description: 'x'.repeat(201) })).toEqual({
    search: {},
    dropped: ['account', 'hashes', 'usd_value', 'description'],
  });
});

test('[TF14] an address of an earlier version keeps its order', () => {
  expect(readTransactionSearch({ sort: 'usd_value', order: 'desc' })).toEqual({ search: { sort: '-usd_value' }, dropped: [] });
  expect(readTransactionSearch({ sort: 'usd_value', order: 'asc' })).toEqual({ search: { sort: 'usd_value' }, dropped: [] });
  expect(readTransactionSearch({ order: 'desc' })).toEqual({ search: {}, dropped: ['order'] });
});

test('[TF15] clearing leaves the place, the dates and the order; only filters count as narrowing', () => {
  const { search } = readTransactionSearch({ entity: 'e1', dates: 'all', sort: 'price', q: 'a', usd_value: '>1', hashes: 'x1', type: '3' });
  expect([filterCount(search), isNarrowed(search)]).toEqual([4, true]);
  const cleared = { ...search, ...noFilters } as TransactionSearch;
  expect(JSON.parse(JSON.stringify(cleared))).toEqual({ entity: 'e1', dates: 'all', sort: 'price' });
  expect(isNarrowed(cleared)).toBe(false);
});

test('[TF16] an address names one entity, or the entities of a client, never both', () => {
  expect(readTransactionSearch({ entity: 'e1', client: 'c1' })).toEqual({ search: { entity: 'e1' }, dropped: ['client'] });
  expect(readTransactionSearch({ client: 'all' })).toEqual({ search: { client: 'all' }, dropped: [] });
});
