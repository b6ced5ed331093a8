import { expect, test } from 'vitest';
import type { GridRow, GridTotals } from '#workers/start.ts';
import { cellChange, cellFilter, cellFilterWords } from '#app/screens/transactions/cell-filter.ts';
import { totalsOf, totalsWithout } from '#app/screens/transactions/selection-totals.ts';
import { transactionColumns } from '#domain/transaction-cells.ts';

const row = {
  account_id: 'a1',
  entity_id: 'e1',
  custodian_id: 'c1',
  security_id: null,
  trx_type_id: 2,
  trx_date: '2026-03-01T03:00:00Z',
  quantity: '1.500000000000000001',
  price: null,
  usd_value: null,
  fee_quantity: null,
  tx_hash: '0xabc',
  from_address: null,
  to_address: null,
  description: 'Funding paid',
  manual_trx: false,
  updated_trx: false,
  unpriced_trx: true,
  is_unidentified: false,
  match_state: null,
} as unknown as GridRow;
const at = { now: Date.parse('2026-03-10T00:00:00Z'), zone: 'EST' } as const;

test('[GR35] a cell narrows the list to its value: ids, exact signed amounts, whole texts, what is missing as none', () => {
  const quantity = { atLeast: '-1.500000000000000001', atMost: '-1.500000000000000001' };
  expect(cellFilter('account', row, false)).toEqual({ kind: 'list', field: 'account', values: ['a1'] });
  expect(cellFilter('security', row, true)).toEqual({ kind: 'list', field: 'security', values: [''], not: true });
  expect(cellFilter('match', row, false)).toEqual({ kind: 'list', field: 'match_state', values: [''] });
  expect(cellFilter('quantity', row, false)).toEqual({ kind: 'amount', field: 'quantity', range: quantity });
  expect(cellFilter('description', row, true)).toEqual({ kind: 'text', field: 'description', contains: 'Funding paid', not: true });
  expect(cellFilter('usd', row, false)).toEqual({ kind: 'flag', field: 'unpriced_trx', is: true });
  expect(cellFilter('flags', row, true)).toEqual({ kind: 'flag', field: 'unpriced_trx', is: false });
  expect([cellFilter('price', row, false), cellFilter('from', row, false), cellFilter('fee', row, true)]).toEqual([null, null, null]);
});

test('[GR35] a date narrows to its day in the zone, an entity to itself; neither can be left out', () => {
  expect(cellChange('date', row, false, at)).toMatchObject({ from: '2026-02-28', to: '2026-02-28' });
  expect(cellChange('entity', row, false, at)).toEqual({ entity: 'e1', client: undefined });
  expect([cellChange('date', row, true, at), cellChange('entity', row, true, at)]).toEqual([null, null]);
});

test('[GR35] every cell either narrows the address or says that it cannot', () => {
  for (const { key } of transactionColumns)
    for (const not of [false, true]) {
      const change = cellChange(key, row, not, at);
      if (change) expect(Object.keys(change).length).toBeGreaterThan(0);
    }
});

test('[GR36] the sums of all rows but a few are exact', () => {
  const rows = [
    { trx_type_id: 1, quantity: '0.1', usd_value: '10.10', security_id: 'btc' },
    { trx_type_id: 2, quantity: '0.000000000000000001', usd_value: null, security_id: 'btc' },
    { trx_type_id: 24, quantity: '5', usd_value: '5', security_id: 'usd' },
    { trx_type_id: 1, quantity: '0.2', usd_value: '20.20', security_id: 'btc' },
  ].map((row) => ({ ...row, unpriced_trx: row.usd_value === null }));
  const all: GridTotals = totalsOf(rows);
  expect(totalsWithout(all, rows.slice(2, 3))).toEqual(totalsOf([...rows.slice(0, 2), ...rows.slice(3)]));
  expect(totalsWithout(all, [])).toBe(all);
  expect(totalsWithout(all, rows)).toMatchObject({ count: 0, assets: [], unpriced: 0, usd: { net: '0' } });
});

test('[GR57] the menu says what a filter lets through where that is more than the value one sees', () => {
  expect(cellFilterWords('description', row)).toBe('containing Funding paid');
  expect(cellFilterWords('type', { ...row, trx_type_id: 3 })).toBe('Trade, its fees and rebates');
  expect(cellFilterWords('type', { ...row, trx_type_id: 4 })).toBe(null);
  expect(['account', 'quantity', 'from', 'usd'].map((key) => cellFilterWords(key, row))).toEqual([null, null, null, null]);
});
