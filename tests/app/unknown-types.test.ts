import { expect, test } from 'vitest';
import { totalsRows } from '#domain/file-cells.ts';
import { flowOfType, signOfType } from '#domain/transaction-types.ts';
import { flows } from '#replica/transaction-columns.ts';
import { gridTotals } from '#workers/grid-query.ts';
import { totalsOf, totalsWithout } from '#app/screens/transactions/selection-totals.ts';
import { readTransactionSearch } from '#app/screens/transactions/transaction-search.ts';

test('[TT4] a type this build does not know moves nothing and counts in no sum, which is said beside the sums and in files', () => {
  for (const id of [0, 30, 42, 254, 255, 70_000, -1]) expect([signOfType(id), flowOfType(id)]).toEqual([0, 'unknown']);
  const group = (flow: (typeof flows)[number], count: number) => ({
    by: ['s', flows.indexOf(flow)],
    count,
    sums: { quantity: '5', usd_value: '100' },
    products: [],
  });
  const sums = { in: '100', out: '0', fees: '0', net: '100' };
  expect(gridTotals([group('in', 1), group('unknown', 3), group('none', 2)])).toMatchObject({
    usd: sums,
    unknown: 3,
    assets: [{ count: 6 }],
  });
  const [known, unknown] = [1, 42].map((trx_type_id) => ({
    trx_type_id,
    quantity: '5',
    usd_value: '100',
    security_id: 's',
    unpriced_trx: false,
  }));
  const all = totalsOf([known!, unknown!]);
  expect(all).toMatchObject({ usd: sums, unknown: 1, unpriced: 0 });
  expect(totalsWithout(all, [unknown!])).toMatchObject({ usd: sums, unknown: 0 });
  expect(totalsRows(all).map(([first]) => first?.text)).toEqual(['Totals', 'All rows', 'Of unknown type, in no sum']);
});

test('[TT5] rows of a type this build does not know are found by it', () => {
  expect(readTransactionSearch({ type: '42,not a type', entity: 'e1' })).toMatchObject({ search: { entity: 'e1', type: '42' } });
  expect(readTransactionSearch({ type: '42', entity: 'e1' })).toEqual({ search: { entity: 'e1', type: '42' }, dropped: [] });
});
