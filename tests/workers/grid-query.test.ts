import { describe, expect, test } from 'vitest';
import { noFilter, type SortField, sortFields } from '#domain/transaction-filter.ts';
import { columnQuery, gridTotals, type NameMaps, ranksOfSets } from '#workers/grid-query.ts';
import type { GridQuery } from '#workers/start.ts';

const names: NameMaps = {
  entities: new Map([['e1', 'Fund']]),
  accounts: new Map([
    ['x', 'kraken 10'],
    ['y', 'Kraken 9'],
    ['z', 'Bitstamp'],
  ]),
  custodians: new Map([['k', 'Kraken']]),
  securities: new Map([
    ['s1', 'BTC'],
    ['s2', 'ETH'],
  ]),
};
const codes = (column: string) => (column === 'account_id' ? [null, 'x', 'y', 'z', 'unknown'] : [null]);
const asked = (of: GridQuery) => columnQuery(of, names, ranksOfSets([codes], names)[0]!);
const query = (filter: Partial<GridQuery['filter']>, sort: GridQuery['sort'] = []): GridQuery => ({
  clientIds: ['c'],
  filter: { ...noFilter, ...filter },
  sort,
  zone: 'EST',
});

describe('the grid query', () => {
  test('[GR3] no filter asks for everything; each filter becomes one condition', () => {
    expect(asked(query({}))).toEqual({ where: [], sort: [] });
    const { where } = asked(
      query({
        entity_ids: ['e1'],
        from: '2026-01-01',
        fields: [
          { kind: 'list', field: 'account', values: ['x'] },
          { kind: 'list', field: 'security', values: ['s1', ''], not: true },
          { kind: 'list', field: 'type', values: ['3'] },
          { kind: 'list', field: 'match_state', values: ['APPROVED'] },
          { kind: 'amount', field: 'price', range: { above: '10' } },
          { kind: 'text', field: 'description', contains: 'fee', not: true },
          { kind: 'flag', field: 'manual_trx', is: false },
        ],
      }),
    );
    expect(where).toEqual([
      { column: 'time', from: Date.parse('2026-01-01T05:00:00Z') },
      { column: 'entity_id', in: ['e1'] },
      { column: 'account_id', in: ['x'], not: false },
      { column: 'security_id', in: ['s1', null], not: true },
      { column: 'trx_type_id', in: [3, 4, 5, 6], not: false },
      { column: 'match_state', in: [1], not: false },
      { column: 'price', above: '10', not: false },
      { column: 'description', contains: 'fee', not: true },
      { flag: 'manual_trx', is: false },
    ]);
  });

  test('[GR4] names sort as people read them, numbers within by value, unknown ones by their id', () => {
    const [sort] = asked(query({}, [{ field: 'account', ascending: true }])).sort ?? [];
    const ranks = sort?.ranks as number[];
    // (null), kraken 10, Kraken 9, Bitstamp, unknown
    expect([1, 2, 3, 4].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))).toEqual([3, 2, 1, 4]);
  });

  test('[GR5] every column can be sorted, both ways', () => {
    for (const field of sortFields) {
      for (const ascending of [true, false]) {
        const { sort = [] } = asked(query({}, [{ field: field satisfies SortField, ascending }]));
        expect(sort.length).toBeGreaterThan(0);
        expect(sort.every((part) => part.descending === !ascending)).toBe(true);
      }
    }
  });

  test('[GR6] the quick search looks through hashes, addresses and descriptions, tickers and account names', () => {
    const { where = [] } = asked(query({ text: '  KRAK ' }));
    const [any] = where as { any: { column: string; in?: string[]; contains?: string }[] }[];
    expect(any?.any.filter((one) => one.contains !== undefined).map((one) => [one.column, one.contains])).toEqual([
      ['tx_hash', 'KRAK'],
      ['from_address', 'KRAK'],
      ['to_address', 'KRAK'],
      ['description', 'KRAK'],
    ]);
    expect(any?.any.find((one) => one.column === 'account_id')?.in).toEqual(['x', 'y']);
  });

  test('[GR7] totals tell in, out and fees apart, and net is what is left; moves between sub-balances count nothing', () => {
    const group = (by: (string | number | null)[], quantity: string, usd_value: string) => ({
      by,
      count: 1,
      sums: { quantity, usd_value },
      products: [],
    });
    const { assets, usd } = gridTotals([
      group(['s1', 1], '5.000000000000000001', '50'),
      group(['s1', 2], '-2', '-20'),
      group(['s1', 3], '-0.5', '-5'),
      group(['s1', 0], '9', '90'),
      group([null, 1], '1', '0'),
    ]);
    expect(assets).toEqual([
      { security_id: 's1', count: 4, in: '5.000000000000000001', out: '2', fees: '0.5', net: '2.500000000000000001', usd_net: '25' },
      { security_id: null, count: 1, in: '1', out: '0', fees: '0', net: '1', usd_net: '0' },
    ]);
    expect(usd).toEqual({ in: '50', out: '20', fees: '5', net: '25' });
  });
});
