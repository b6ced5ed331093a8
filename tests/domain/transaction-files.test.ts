import { expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { transactionsFileName } from '#domain/file-names.ts';
import { filterWords } from '#domain/filter-words.ts';
import { assetRows, columnsOfKeys, fileRow } from '#domain/file-cells.ts';
import type { TransactionNames } from '#domain/transaction-cells.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import { type FilePlan, workbookFile } from '#domain/transaction-files.ts';
import { joined, readWorkbook } from '#tests/support/workbook.ts';

const security = { id: 's', ticker: 'BTC', security_name: 'Bitcoin', security_type_id: 1, dart_security_id: null } as const;
const names: TransactionNames = {
  entity: new Map(),
  account: new Map([['a', { account_name: 'Kraken' }]]),
  custodian: new Map(),
  security: new Map([['s', security as never]]),
};
const row = (quantity: string): Transaction =>
  ({ id: quantity, trx_type_id: 1, trx_date: '2026-09-14T12:00:00.000Z', quantity, security_id: 's', account_id: 'a' }) as Transaction;

function aWorkbook(rows: readonly Transaction[], perSheet: number) {
  const parts: Uint8Array[] = [];
  const sums = { in: '0', out: '0', fees: '0', net: '0' };
  const plan: FilePlan = {
    columns: ['date', 'quantity'],
    zone: 'UTC',
    names,
    madeAt: Date.UTC(2026, 8, 14),
    about: [['Rows', String(rows.length)]],
    totals: {
      count: rows.length,
      unpriced: 2,
      unknown: 0,
      usd: sums,
      assets: [{ security_id: 's', count: rows.length, ...sums, usd_net: '0' }],
    },
  };
  const file = workbookFile(plan, (bytes) => void parts.push(bytes), perSheet);
  const texts = rows.map((each, index) => [index, each] as const).reverse();
  const made = new Map(texts.map(([index, each]) => [index, file.textOf(index, each)]));
  for (const [index] of rows.entries()) file.add(index, Buffer.from(made.get(index)!));
  const notes = file.end();
  return { ...readWorkbook(joined(parts)), notes };
}

test('[EX16] more rows than a sheet takes go on over further sheets, each with its heading, and the file says so', () => {
  const rows = Array.from({ length: 25 }, (_, index) => row(`${index}.5`));
  const { sheets, notes } = aWorkbook(rows, 10);
  expect(sheets.map(({ name }) => name)).toEqual(['Transactions', 'Transactions 2', 'Transactions 3', 'Totals', 'About']);
  const quantities = sheets
    .slice(0, 3)
    .flatMap((sheet) =>
      [...sheet.rows].flatMap(([no, cells]) => (no > 1 && cells.get('B') && cells.get('C')?.text === 'BTC' ? [cells.get('B')!.text] : [])),
    );
  expect(quantities).toEqual(rows.map(({ quantity }) => quantity));
  expect([...sheets[1]!.rows.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(sheets.slice(0, 3).map((sheet) => sheet.rows.get(1)?.get('A')?.text)).toEqual(Array(3).fill('Date (UTC)'));
  expect(sheets.slice(0, 3).map((sheet) => /autoFilter ref="([^"]+)"/.exec(sheet.xml)?.[1])).toEqual(['A1:C11', 'A1:C11', 'A1:C6']);
  // below the last rows, with a row of nothing between
  expect([7, 8, 9, 10].map((no) => sheets[2]!.rows.get(no)?.get('A')?.text)).toEqual([
    undefined,
    'Totals',
    'All rows',
    'Without USD value',
  ]);
  expect(notes).toEqual(['A sheet takes 10 rows: these go on over 3 sheets.']);
  expect([...sheets[4]!.rows.values()].at(-1)?.get('B')?.text).toBe(notes[0]);
});

test('[EX16] rows that fill their sheets leave no empty one behind', () => {
  expect(
    aWorkbook(
      Array.from({ length: 20 }, () => row('1')),
      10,
    ).sheets.map(({ name }) => name),
  ).toEqual(['Transactions', 'Transactions 2', 'Totals', 'About']);
});

test('[EX6] numbers that had to be written as text are counted in words', () => {
  expect(aWorkbook([row('1.2345678901234567')], 10).notes).toEqual([
    '1 number has more than the 15 digits a spreadsheet keeps and is there as text with every digit; formulas pass over them.',
  ]);
});

test.each([
  ['Meridian Master Fund LP', '2026-08-01', '2026-08-31', 'Meridian-Master-Fund-LP-transactions-2026-08-01-2026-08-31.csv'],
  ['../../etc: "x" <y>|?*', null, null, 'etc-x-y-transactions-all-dates.csv'],
  ['Café Zürich & Söhne', '2026-08-01', null, 'Cafe-Zurich-Sohne-transactions-2026-08-01-onwards.csv'],
  ['株式会社', null, '2026-08-31', '株式会社-transactions-until-2026-08-31.csv'],
  ['...', null, null, 'entity-transactions-all-dates.csv'],
])('[EX17] %j from %j to %j is saved as %s', (entity, from, to, name) => {
  expect(transactionsFileName(entity, { from, to }, 'csv')).toBe(name);
});

test('[EX18] a filter and an order in words', () => {
  const words = filterWords(
    {
      ...noFilter,
      from: '2026-08-01',
      to: '2026-08-31',
      text: ' fee ',
      hashes: ['0x1', '0x2'],
      fields: [
        { kind: 'list', field: 'account', values: ['a', ''], not: true },
        { kind: 'list', field: 'type', values: ['3'] },
        { kind: 'list', field: 'match_state', values: ['PENDING'] },
        { kind: 'amount', field: 'usd_value', range: { above: '100', size: true } },
        { kind: 'text', field: 'description', contains: 'x', not: true },
        { kind: 'flag', field: 'manual_trx', is: false },
      ],
    },
    [{ field: 'usd_value', ascending: true }],
    names,
    'EST',
  );
  expect(words).toEqual([
    ['Dates', 'from 08/01/2026 to 08/31/2026 inclusive (EST)'],
    ['Account', 'not Kraken, none'],
    ['Type', 'Trade'],
    ['Match', 'Pending'],
    ['USD value', '> 100, whatever the sign'],
    ['Description', 'does not contain "x"'],
    ['Manual', 'not these'],
    ['Search', 'fee'],
    ['Hashes and ids', '0x1, 0x2'],
    ['Order', 'USD value ascending'],
  ]);
  expect(filterWords(noFilter, [], names, 'UTC')).toEqual([
    ['Dates', 'all'],
    ['Order', 'Date descending'],
  ]);
});

test('[EX22] what is unidentified is counted and valued, and has no quantity: it is of many assets', () => {
  const sums = { in: '1000000.5', out: '0', fees: '0', net: '1000000.5', usd_net: '7' };
  const assets = [null, 's', 'not here yet'].map((security_id) => ({ security_id, count: 2, ...sums }));
  const rows = assetRows({ count: 6, unpriced: 0, unknown: 0, usd: sums, assets }, names);
  const quantity = ['1000000.5', '0', '0', '1000000.5'];
  expect(rows.map((cells) => cells.map((cell) => cell.text))).toEqual([
    ['Unidentified', '2', '', '', '', '', '', '7'],
    ['BTC', '2', ...quantity, 'BTC', '7'],
    ['Unknown', '2', ...quantity, 'Unknown', '7'],
  ]);
});

test('[EX24] a price too small for the places of a price has more places in a workbook', () => {
  const cellOf = (price: string) => fileRow(columnsOfKeys(['price']), { ...row('1'), price }, names, 'UTC')[0];
  expect(cellOf('0.0000000015')).toEqual({ text: '0.0000000015', isNumber: true, look: 'quantity' });
  expect(cellOf('0.00000002')).toMatchObject({ look: 'price' });
  expect(cellOf('0')).toMatchObject({ look: 'price' });
});
