import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SortStep } from '#domain/sorting.ts';
import { readClientSearch } from '#app/screens/clients/client-search.ts';
import { readAccountsSearch } from '#app/screens/entities/accounts-search.ts';
import { readEntitySearch } from '#app/screens/entities/entity-search.ts';
import { accountsInOrder } from '#app/screens/entities/unreconciled-order.ts';
import { readSystemSearch } from '#app/screens/system/system-search.ts';
import { readUserSearch } from '#app/screens/users/user-search.ts';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { momentText, rowsInOrder, shownSort, type TableColumn } from '#app/ui/table/table-column.ts';

type Field = 'name' | 'aum' | 'updated' | 'hidden';

interface Row {
  name: string;
  aum: string | null;
  updated: string | null;
}

const columns: readonly TableColumn<Row, Field>[] = [
  { label: 'Name', sort: 'name', plain: ({ name }) => name },
  { label: 'AUM', sort: 'aum', isNumber: true, isRight: true, plain: ({ aum }) => aum ?? '' },
  { label: 'Updated', sort: 'updated', isNumber: true, plain: ({ updated }) => momentText(updated) },
  { label: 'Notes' },
];
const up = (field: Field): SortStep<Field> => ({ field, ascending: true });
const down = (field: Field): SortStep<Field> => ({ field, ascending: false });
const row = (name: string, aum: string | null = null, updated: string | null = null): Row => ({ name, aum, updated });
const names = (rows: readonly Row[], ...sort: SortStep<Field>[]): string[] => rowsInOrder(rows, { columns, sort }).map(({ name }) => name);

test('[LT1] a plain table is sorted by numbers as values and by words as people read them, what is empty last either way', () => {
  const rows = [
    row('fund 10', '9'),
    row('Fund 9', null, '2026-03-01T00:00:00.5Z'),
    row('alpha', '-10', '2026-03-01T00:00:00Z'),
    row('beta', '100'),
  ];
  expect(names(rows)).toEqual(['fund 10', 'Fund 9', 'alpha', 'beta']);
  expect(names(rows, up('name'))).toEqual(['alpha', 'beta', 'Fund 9', 'fund 10']);
  expect(names(rows, up('aum'))).toEqual(['alpha', 'fund 10', 'beta', 'Fund 9']);
  expect(names(rows, down('aum'))).toEqual(['beta', 'fund 10', 'alpha', 'Fund 9']);
  expect(names(rows, down('updated'))).toEqual(['Fund 9', 'alpha', 'fund 10', 'beta']);
});

test('[LT2] rows of one rank keep the usual order, in either direction, and several columns decide one after the other', () => {
  const rows = [row('b', '1'), row('a', '2'), row('d', '1'), row('c', '2.0')];
  expect(names(rows, up('aum'))).toEqual(['b', 'd', 'a', 'c']);
  expect(names(rows, down('aum'))).toEqual(['a', 'c', 'b', 'd']);
  expect(names(rows, down('aum'), down('name'))).toEqual(['c', 'a', 'd', 'b']);
});

test('[LT4] an order lies in the address in words, beside the filters there, and what is no column of the list is left out', () => {
  expect(readClientSearch({ organizationId: 'o', sort: '-unreconciled,aum' })).toEqual({ organizationId: 'o', sort: '-unreconciled,aum' });
  expect(readEntitySearch({ name: 'x', sort: 'client,colour,-aum' })).toEqual({ name: 'x', sort: 'client,-aum' });
  expect(readAccountsSearch({ accounts: 'stale', sort: '-value' })).toEqual({ accounts: 'stale', sort: '-value' });
  expect(readUserSearch({ enabled: 'true', sort: 'signed_in' })).toEqual({ enabled: 'true', sort: 'signed_in' });
  expect(readSystemSearch({ type: 'defi', sort: '-next_run' })).toEqual({ type: 'defi', sort: '-next_run' });
  for (const sort of [undefined, '', ',', '--aum', 'colour', 7, ['aum']])
    expect(readEntitySearch({ active: '1', sort })).toEqual({ active: '1' });
});

test('[LT5] a column that does not show, or comes again, has no part in the order', () => {
  const sort = [up('hidden'), down('aum'), up('aum')];
  expect(shownSort({ columns, sort })).toEqual([down('aum')]);
  expect(names([row('a', '1'), row('b', '2')], ...sort)).toEqual(['b', 'a']);
});

test('[LT6] the head says which way it sorts, and its number where there are several; one that sorts nothing is no button', () => {
  const heads = (...sort: SortStep<Field>[]): string =>
    renderToStaticMarkup(createElement(SortHeads<Row, Field>, { columns, sort, onSort: () => undefined, className: '' }));
  const said = (html: string): string[] => [...html.matchAll(/aria-sort="(\w+)"/g)].map(([, order]) => order ?? '');
  const ranks = (html: string): string[] => [...html.matchAll(/>(\d)</g)].map(([, rank]) => rank ?? '');
  expect([said(heads()), ranks(heads())]).toEqual([['none', 'none', 'none'], []]);
  expect([said(heads(down('aum'))), ranks(heads(down('aum')))]).toEqual([['none', 'descending', 'none'], []]);
  const several = heads(down('aum'), up('name'));
  expect([said(several), ranks(several)]).toEqual([
    ['ascending', 'descending', 'none'],
    ['2', '1'],
  ]);
  expect(heads().match(/<button/g)).toHaveLength(3);
});

test('[LT7] unreconciled accounts are sorted, and the assets within each, and none leaves its account', () => {
  const account = (account_name: string, difference_usd: string | null, breaks: readonly (readonly [string, string | null])[]) => ({
    account_id: account_name,
    account_name,
    custodian_name: 'Kraken',
    status: 'UNRECONCILED' as const,
    end_date: null,
    last_snapshot_at: null,
    difference_usd,
    breaks: breaks.map(([ticker, usd]) => ({
      security_id: null,
      ticker,
      reported: null,
      computed: '0',
      difference: '1',
      difference_usd: usd,
    })),
  });
  const accounts = [
    account('Kraken 10', '30', [
      ['ETH', '-20'],
      ['BTC', '10'],
    ]),
    account('Kraken 9', null, []),
    account('Bitstamp', '5', [
      ['USDC', null],
      ['SOL', '5'],
    ]),
  ];
  const order = (...sort: Parameters<typeof accountsInOrder>[1]): string[] =>
    accountsInOrder(accounts, sort).flatMap(({ account_name: name, breaks }) => [name, ...breaks.map(({ ticker }) => ticker)]);
  expect(order()).toEqual(['Kraken 10', 'ETH', 'BTC', 'Kraken 9', 'Bitstamp', 'USDC', 'SOL']);
  expect(order({ field: 'name', ascending: true })).toEqual(['Bitstamp', 'SOL', 'USDC', 'Kraken 9', 'Kraken 10', 'BTC', 'ETH']);
  expect(order({ field: 'difference_usd', ascending: true })).toEqual(['Bitstamp', 'SOL', 'USDC', 'Kraken 10', 'ETH', 'BTC', 'Kraken 9']);
});
