import { parse } from 'csv-parse/sync';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { plainDecimal } from '#domain/amounts.ts';
import { timeZones } from '#domain/dates.ts';
import { columnsOfKeys } from '#domain/file-cells.ts';
import { plainOf, type TransactionColumnKey, transactionColumns, type TransactionNames } from '#domain/transaction-cells.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import type { Replica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';
import type { SyncEngine } from '#workers/engine.ts';
import type { ExportEnd, ExportPart, ExportRequest, GridQuery, GridResult, GridRow } from '#workers/start.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { joined, readWorkbook, type ReadSheet, sheetCells } from '#tests/support/workbook.ts';
import { anOffice, aSecurity, someTransactions, transactionRow } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const hour = 3_600_000;
const types = [1, 2, 3, 4, 5, 8, 22, 15];
const texts = ['=HYPERLINK("x")', ' -12', 'plain, with "quotes"', 'two\nlines', null, '\u0001 sign', 'a'.repeat(300)];

/** An office of many kinds of rows, pulled to a browser that then loses the network, where two rows are edited. */
async function anOfficeOffline(rows: number) {
  const { db } = server.database;
  const office = await anOffice(db);
  const securities = [await aSecurity(db), await aSecurity(db, { ticker: `=CMD ${uuidv7().slice(-6)}` })];
  const made = Array.from({ length: rows }, (_, index) =>
    transactionRow(index % 3 === 0 ? office.wallet : office.exchange, {
      trx_type_id: types[index % types.length]!,
      trx_date: new Date(testNow - index * hour),
      security_id: index % 11 === 0 ? null : securities[index % 2]!.id,
      quantity: index % 5 === 0 ? `${index}.000000000000000001` : `${(index * 7919) % 1000}.5`,
      usd_value: index % 7 === 0 ? null : `${(index * 31) % 500}.25`,
      unpriced_trx: index % 7 === 0,
      fee_quantity: index % 4 === 0 ? '0.001' : null,
      fee_security_id: index % 4 === 0 ? securities[0]!.id : null,
      tx_hash: `0x${index.toString(16).padStart(64, '0')}`,
      description: texts[index % texts.length]!,
      match_state: index < 4 ? 'PENDING' : null,
    }),
  );
  await someTransactions(db, made);
  const { wire, session, start, startSynced, aPage } = await browsers.signIn(office.accountant.email);
  const device = await startSynced();
  const page = await aPage();
  wire.cut();
  const mark = (index: number) =>
    enqueue(page.outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: made[index]!.id!, counterpart_id: null, is_transfer: true },
      title: 'Mark transfer',
      now: testNow,
      clientId: office.client.id,
      entityId: office.entity.id,
    });
  const query = (changes: Partial<Pick<GridQuery, 'filter' | 'sort' | 'zone'>> = {}): GridQuery => ({
    clientIds: [office.client.id],
    filter: noFilter,
    sort: [],
    zone: 'IST',
    ...changes,
  });
  return { ...office, ...device, wire, start, page, made, mark, query, session, names: await namesIn(page) };
}

async function namesIn({ rows }: Replica): Promise<TransactionNames> {
  const byId = <R extends { id: string }>(all: readonly R[]) => new Map(all.map((row) => [row.id, row]));
  return {
    entity: byId(await rows.read(['entities'], (tx) => tx.list('entities'))),
    account: byId(await rows.read(['accounts'], (tx) => tx.list('accounts'))),
    custodian: byId(await rows.read(['custodians'], (tx) => tx.list('custodians'))),
    security: byId(await rows.read(['securities'], (tx) => tx.list('securities'))),
  };
}

/** What the grid has of a query: its rows and sums, once they are as wanted. */
async function onScreen(engine: SyncEngine, query: GridQuery, isThere: (rows: GridRow[]) => boolean = () => true) {
  const results: GridResult[] = [];
  await engine.watchQuery('screen', query, { offset: 0, limit: 10 }, (result) => void results.push(result));
  let rows: GridRow[] = [];
  await expect
    .poll(async () => {
      rows = (await engine.rows('screen', 0, 100_000)).rows;
      return isThere(rows);
    })
    .toBe(true);
  return { rows, totals: results.at(-1)! };
}

const allKeys = transactionColumns.map(({ key }) => key);

async function exported(engine: SyncEngine, request: Omit<ExportRequest, 'columns'> & { columns?: readonly TransactionColumnKey[] }) {
  const parts: ExportPart[] = [];
  const end = await engine.exportRows('one', { columns: allKeys, ...request }, (part) => void parts.push(part));
  const bytes = joined(parts.map((part) => part.bytes));
  const csv = (): string[][] => parse(Buffer.from(bytes), { bom: true, relax_column_count: true });
  return { end, parts, bytes, csv };
}

/** The cells of the screen as a copy gives them, each unit in a column of its own. */
function shownCells(rows: readonly GridRow[], names: TransactionNames, query: GridQuery, keys: readonly TransactionColumnKey[] = allKeys) {
  return rows.map((row) =>
    columnsOfKeys(keys).flatMap((column) => {
      const cell = column.cell(row, names, query.zone);
      return column.hasUnit ? [plainOf(cell), cell.unit ?? ''] : [plainOf(cell)];
    }),
  );
}

/** What CSV adds to texts that a spreadsheet would run is taken away again. */
const bare = (cells: readonly string[]): string[] => cells.map((text) => text.replaceAll("'", ''));

const totalsOf = ({ usd, count }: GridResult) => [
  'All rows',
  String(count),
  ...[usd.in, usd.out, usd.fees, usd.net].map(plainDecimal),
  'USD',
  plainDecimal(usd.net),
];

describe('the export', () => {
  test('[EX9] the file is what the screen shows: filtered, sorted, edited, to the last digit, with the same totals', async () => {
    const { engine, query, mark, names, exchange } = await anOfficeOffline(420);
    await mark(1);
    await mark(2);
    const asked = query({
      filter: { ...noFilter, from: '2026-08-30', fields: [{ kind: 'list', field: 'account', values: [exchange.id] }] },
      sort: [
        { field: 'usd_value', ascending: false },
        { field: 'quantity', ascending: true },
      ],
    });
    const isEdited = (rows: GridRow[]): boolean => rows.filter((row) => row.match_state === 'APPROVED').length === 2;
    const { rows, totals } = await onScreen(engine, asked, isEdited);
    const shown = shownCells(rows, names, asked);
    expect(rows.length).toBeGreaterThan(200);

    const file = await exported(engine, { query: asked, format: 'csv' });
    const [heading = [], ...lines] = file.csv();
    expect(heading.slice(0, 8)).toEqual(['Date (IST)', 'Account', 'Entity', 'Type', 'Security', 'Quantity', 'Quantity unit', 'Price']);
    expect(lines.slice(0, rows.length).map(bare)).toEqual(shown.map(bare));
    expect(lines[rows.length]!.slice(0, 8)).toEqual(['Totals', 'Rows', 'In', 'Out', 'Fees', 'Net', 'Unit', 'Net USD']);
    expect(lines[rows.length + 1]!.slice(0, 8)).toEqual(totalsOf(totals));
    expect(lines).toHaveLength(rows.length + 3 + totals.assets.length);
    expect(file.end).toEqual({ kind: 'done', rows: rows.length, pending: 2, notes: [] });

    const book = await exported(engine, { query: asked, format: 'xlsx' });
    const { sheets } = readWorkbook(book.bytes);
    expect(sheets.map(({ name }) => name)).toEqual(['Transactions', 'Totals', 'About']);
    const [list, sums, about] = sheets as [ReadSheet, ReadSheet, ReadSheet];
    expect(sheetCells(list, 1, heading.length)).toEqual(heading);
    expect(shown.map((_, index) => sheetCells(list, index + 2, heading.length))).toEqual(shown);
    expect(sheetCells(list, rows.length + 4, 8)).toEqual(totalsOf(totals));
    expect(sheetCells(sums, 2, 8)).toEqual(totalsOf(totals));
    expect(sums.rows.size).toBe(3 + totals.assets.length);
    const told = new Map([...about.rows.values()].map((row) => [row.get('A')?.text, row.get('B')?.text]));
    expect(Object.fromEntries(told)).toMatchObject({
      Dates: 'from 08/30/2026 (IST)',
      Account: exchange.account_name,
      Order: 'USD value descending, then Quantity ascending',
      Rows: String(rows.length),
      'Time zone': 'IST',
      'Pending edits': expect.stringMatching(/^2 of these rows/),
    });
  });

  test('[EX21] a file of a copy that is not whole says so, whatever its kind', async () => {
    const { engine, query, page, entity } = await anOfficeOffline(3);
    await page.rows.write(['pulls'], async (tx) => {
      const [pull] = await tx.list('pulls', { is: [`entity:${entity.id}`, 'transactions'] });
      await tx.put('pulls', { ...pull!, phase: 'older' });
    });
    for (const format of ['csv', 'xlsx'] as const) {
      const { end } = await exported(engine, { query: query(), format });
      const notes = [`Older rows of ${entity.entity_name} were not all on this device: they are not in the file.`];
      expect(end).toMatchObject({ kind: 'done', notes });
    }
  });

  test('[EX10] only the columns shown are in the file, in their order, each amount followed by its unit', async () => {
    const { engine, query, names } = await anOfficeOffline(30);
    const keys = ['quantity', 'date', 'security'] as const;
    const { rows } = await onScreen(engine, query());
    const [heading, ...lines] = (await exported(engine, { query: query(), format: 'csv', columns: keys })).csv();
    expect(heading).toEqual(['Quantity', 'Quantity unit', 'Date (IST)', 'Security']);
    expect(lines.slice(0, 30).map(bare)).toEqual(shownCells(rows, names, query(), keys).map(bare));
    expect(Math.abs(timeZones.IST)).toBe(5.5 * hour);
  });

  test('[EX11] nothing found makes a file of a heading and totals of nothing', async () => {
    const { engine, query } = await anOfficeOffline(3);
    const asked = query({ filter: { ...noFilter, from: '2020-01-01', to: '2020-01-02' } });
    const { end, csv } = await exported(engine, { query: asked, format: 'csv' });
    expect(end).toMatchObject({ kind: 'done', rows: 0 });
    expect(csv()[2]!.slice(0, 8)).toEqual(['All rows', '0', '0', '0', '0', '0', 'USD', '0']);
  });

  test('[EX12] rows that are pulled or edited while the file is made do not reach it', async () => {
    const { engine, query, mark, names, made, exchange, sync, wire } = await anOfficeOffline(800);
    const { rows } = await onScreen(engine, query());
    const shown = shownCells(rows, names, query());
    const parts: Uint8Array[] = [];
    let isChanged = false;
    const end = await engine.exportRows('one', { query: query(), format: 'csv', columns: allKeys }, async ({ bytes }) => {
      parts.push(bytes);
      if (isChanged) return;
      isChanged = true;
      await mark(1);
      await onScreen(engine, query(), (now) => now.some(({ match_state }) => match_state === 'APPROVED'));
      const more = Array.from({ length: 300 }, () => transactionRow(exchange, { trx_date: new Date(testNow - 5 * hour) }));
      await someTransactions(server.database.db, more);
      wire.mend();
      await sync();
      await onScreen(engine, query(), (now) => now.length === 1_100);
    });
    expect(isChanged).toBe(true);
    expect(end).toMatchObject({ kind: 'done', rows: made.length, pending: 0 });
    const lines: string[][] = parse(Buffer.from(joined(parts)), { bom: true, relax_column_count: true });
    expect(lines.slice(1, made.length + 1).map(bare)).toEqual(shown.map(bare));
  });

  test('[EX13] a cancelled export ends at once and hands over nothing more', async () => {
    const { engine, query } = await anOfficeOffline(800);
    const told: ExportPart[] = [];
    const end = await engine.exportRows('one', { query: query(), format: 'xlsx', columns: allKeys }, async (part) => {
      told.push(part);
      await engine.cancelExport('one');
    });
    expect(end).toEqual({ kind: 'cancelled' });
    expect(told.map(({ done, all }) => [done, all])).toEqual([[0, 800]]);
  });

  test('[EX13] signing out ends an export', async () => {
    const { engine, query, session } = await anOfficeOffline(40);
    const end: ExportEnd = await engine.exportRows('one', { query: query(), format: 'csv', columns: allKeys }, () =>
      engine.close(session.userId),
    );
    expect(end).toEqual({ kind: 'cancelled' });
  });

  test('[EX14] the next part waits for the page, and queries are answered meanwhile', async () => {
    const { engine, query } = await anOfficeOffline(2_000);
    let taking = 0;
    const most: number[] = [];
    let answered = 0;
    const end = await engine.exportRows(
      'one',
      { query: query({ sort: [{ field: 'quantity', ascending: true }] }), format: 'csv', columns: allKeys },
      async () => {
        taking += 1;
        most.push(taking);
        // long enough for the next part, were it not held back
        for (let asks = 0; asks < 10; asks += 1) await onScreen(engine, query());
        answered += 1;
        taking -= 1;
      },
    );
    expect(end.kind).toBe('done');
    expect(answered).toBeGreaterThan(1);
    expect(most).toEqual(Array(answered).fill(1));
  });

  test('[EX15] rows that cannot be read end the export with a reason, and are mended', async () => {
    const { engine: before, client, query, page, session, start } = await anOfficeOffline(800);
    // rows read while they were pulled may still be in memory there
    await before.close(session.userId);
    const { engine } = start();
    await engine.open(session);
    expect((await (await aGrid(engine, client.id)).until(({ count }) => count > 0)).count).toBe(800);
    await page.rows.write(['cold'], (tx) => tx.removeAll('cold'));
    const end = await engine.exportRows('one', { query: query(), format: 'csv', columns: allKeys }, () => undefined);
    expect(end).toMatchObject({ kind: 'failed', reason: expect.stringContaining('could not be read') });
  });
});
