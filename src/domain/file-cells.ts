import type { Transaction } from '#contract/transactions.ts';
import { decimal, isTinyPrice, plainDecimal } from './amounts.ts';
import { type TimeZone, timeZones } from './dates.ts';
import type { Look, SheetCell } from './sheet-cells.ts';
import {
  headOf,
  plainOf,
  type TransactionColumn,
  type TransactionColumnKey,
  transactionColumns,
  type TransactionNames,
} from './transaction-cells.ts';

/** Characters. */
const widths: Record<TransactionColumnKey, number> = {
  date: 17,
  account: 26,
  entity: 26,
  type: 18,
  security: 11,
  quantity: 24,
  price: 16,
  usd: 18,
  match: 15,
  custodian: 20,
  fee: 20,
  flags: 24,
  hash: 30,
  from: 30,
  to: 30,
  description: 44,
};

const looksOf: Partial<Record<TransactionColumnKey, Look>> = { quantity: 'quantity', fee: 'quantity', price: 'price', usd: 'usd' };

type FileColumn = TransactionColumn & { key: TransactionColumnKey };

/** The columns of some keys, in the order of the keys; keys of none are left out. */
export function columnsOfKeys(keys: readonly string[]): FileColumn[] {
  const all: readonly FileColumn[] = transactionColumns;
  return keys.flatMap((key) => all.filter((column) => column.key === key));
}

function text(of: string, look?: Look): SheetCell {
  return look === undefined ? { text: of, isNumber: false } : { text: of, isNumber: false, look };
}

/** The heading of a file: each column, one with a unit followed by it; the date names the zone. */
export function fileHeading(columns: readonly FileColumn[], zone: TimeZone): SheetCell[] {
  return columns.flatMap((column) => {
    const head = headOf(column, zone);
    return column.hasUnit ? [text(head, 'heading'), text(`${head} unit`, 'heading')] : [text(head, 'heading')];
  });
}

/** How wide each column of the heading is, in characters. */
export function fileWidths(columns: readonly FileColumn[]): { width: number }[] {
  return columns.flatMap(({ key, hasUnit }) => (hasUnit ? [{ width: widths[key] }, { width: 9 }] : [{ width: widths[key] }]));
}

/** A row as a file has it: what the screen's cells give when copied, so that file and screen cannot differ. */
export function fileRow(columns: readonly FileColumn[], row: Transaction, names: TransactionNames, zone: TimeZone): SheetCell[] {
  const cells: SheetCell[] = [];
  for (const column of columns) {
    const cell = column.cell(row, names, zone);
    // what is too small for the places of a price has those of a quantity
    const look = column.key === 'price' && row.price !== null && isTinyPrice(row.price) ? 'quantity' : looksOf[column.key];
    const main: SheetCell = { text: plainOf(cell), isNumber: column.isNumber && cell.plain !== undefined };
    if (look) main.look = look;
    if (column.key === 'date') main.wallMs = Date.parse(row.trx_date) + timeZones[zone];
    cells.push(main);
    if (column.hasUnit) cells.push({ text: cell.unit ?? '', isNumber: false });
  }
  return cells;
}

/** Exact sums of one unit; `out` and `fees` are positive. */
interface Sums {
  in: string;
  out: string;
  fees: string;
  net: string;
}

/** The sums of all rows of a file, as the foot of the list has them. */
export interface FileTotals {
  count: number;
  /** Rows flagged as without a US dollar value. */
  unpriced: number;
  /** Rows of types that nobody knew when it was made, in no sum. */
  unknown: number;
  usd: Sums;
  assets: readonly (Sums & { security_id: string | null; count: number; usd_net: string })[];
}

export const totalsWidths = [22, 10, 24, 24, 24, 24, 9, 18].map((width) => ({ width }));

function count(rows: number): SheetCell {
  return { text: String(rows), isNumber: true, look: 'count' };
}

function amount(of: string, look: Look): SheetCell {
  return { text: plainDecimal(of), isNumber: true, look };
}

function sums(of: Sums, look: Look): SheetCell[] {
  return [of.in, of.out, of.fees, of.net].map((sum) => amount(sum, look));
}

/** What all rows of a file come to: a heading, one row of all in US dollars, and how many rows count nothing there. */
export function totalsRows({ count: rows, unpriced, unknown, usd }: FileTotals): SheetCell[][] {
  const heading = ['Totals', 'Rows', 'In', 'Out', 'Fees', 'Net', 'Unit', 'Net USD'].map((head) => text(head, 'heading'));
  const all = [text('All rows'), count(rows), ...sums(usd, 'usd'), text('USD'), amount(usd.net, 'usd')];
  const left = [
    { words: 'Without USD value', rows: unpriced },
    { words: 'Of unknown type, in no sum', rows: unknown },
  ];
  return [heading, all, ...left.filter((each) => each.rows > 0).map((each) => [text(each.words), count(each.rows)])];
}

const noSums = [text(''), text(''), text(''), text('')];

/** The same for each asset in its own unit, the largest in US dollars first. What is unidentified is of many assets: no quantity is its. */
export function assetRows({ assets }: FileTotals, names: TransactionNames): SheetCell[][] {
  const sorted = assets.toSorted((a, b) => decimal(b.usd_net).abs().comparedTo(decimal(a.usd_net).abs()) ?? 0);
  return sorted.map((asset) => {
    const ticker = asset.security_id === null ? '' : (names.security.get(asset.security_id)?.ticker ?? 'Unknown');
    const quantities = asset.security_id === null ? noSums : sums(asset, 'quantity');
    return [text(ticker || 'Unidentified'), count(asset.count), ...quantities, text(ticker), amount(asset.usd_net, 'usd')];
  });
}
