import { type Bits, listRows } from './bits.ts';
import type { Dictionary } from './dictionaries.ts';
import type { DecimalColumn } from './decimals.ts';
import { expectKind, type Layout } from './schema.ts';
import { type Hot, nullSmall } from './segments.ts';
import { productSumsOf, type Summing, sumsOf } from './sums.ts';
import type { View } from './view.ts';

/** What to add up. */
export type TotalsRequest = {
  /** Up to two code or small columns. With none there is exactly one group, even without a row. */
  readonly groupBy?: readonly string[];
  /** Decimal columns to add up. */
  readonly sums?: readonly string[];
  /** Pairs of decimal columns whose products to add up. */
  readonly products?: readonly (readonly [string, string])[];
};

/** The totals of one group. Sums are exact, as canonical decimal texts; nulls add nothing. `products` stands in the order asked for. */
export type Totals = {
  readonly by: readonly (string | number | null)[];
  readonly count: number;
  readonly sums: Readonly<Record<string, string>>;
  readonly products: readonly string[];
};

/** How often a value occurs. */
export type Facet = { readonly value: string | number | null; readonly count: number };

/** Rows that are added up in one go; a multiple of 32. */
const pieceRows = 65_536;

/** Adds up the rows of a view, group by group, in the order in which the groups first occur. */
export function totalsOf(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, view: View, request: TotalsRequest): Totals[] {
  const { groupBy = [], sums = [], products = [] } = request;
  if (groupBy.length > 2) throw new RangeError(`Totals group by at most 2 columns, not ${groupBy.length}`);
  for (const column of [...sums, ...products.flat()]) expectKind(layout, column, ['decimal']);
  const grouping = new Grouping(groupBy.map((column) => groupColumn(layout, dictionaries, column)));
  const sumOf = sums.map((name) => ({ names: [name], sums: sumsOf() }));
  const productOf = products.map((names) => ({ names, sums: productSumsOf() }));
  const rows = new Uint32Array(pieceRows);
  const groups = new Uint32Array(pieceRows);
  for (const [index, { hot }] of view.chunks.entries()) {
    const bits = view.bits[index] as Bits;
    for (const each of [...sumOf, ...productOf]) each.sums.next(...each.names.map((name) => hot.decimals[name] as DecimalColumn));
    for (let word = 0; word < bits.length; word += pieceRows / 32) {
      const count = listRows(bits, rows, word, Math.min(bits.length, word + pieceRows / 32));
      if (count === 0) continue;
      grouping.assign(hot, rows, groups, count);
      for (const each of [...sumOf, ...productOf]) each.sums.add(rows, groups, count, grouping.counts.length);
    }
  }
  const text = (group: number) => (each: { sums: Summing }) => each.sums.textOf(group);
  return grouping.counts.map((count, group) => ({
    by: grouping.valuesOf(group),
    count,
    sums: Object.fromEntries(sumOf.map((each) => [each.names[0], text(group)(each)])),
    products: productOf.map(text(group)),
  }));
}

/** How often each value of a code or small column occurs in a view, null first, then by code or number; values without a row are left out. */
export function facetsOf(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, view: View, column: string): Facet[] {
  const { of, size, valueOf } = groupColumn(layout, dictionaries, column);
  const counts = new Uint32Array(size);
  const rows = new Uint32Array(pieceRows);
  for (const [index, { hot }] of view.chunks.entries()) {
    const bits = view.bits[index] as Bits;
    const values = of(hot);
    for (let word = 0; word < bits.length; word += pieceRows / 32) {
      const count = listRows(bits, rows, word, Math.min(bits.length, word + pieceRows / 32));
      for (let i = 0; i < count; i++) {
        const value = values[rows[i] as number] as number;
        counts[value] = (counts[value] as number) + 1;
      }
    }
  }
  const facets = Array.from(counts, (count, value) => ({ value: valueOf(value), count })).filter(({ count }) => count > 0);
  return facets.toSorted((a, b) => Number(b.value === null) - Number(a.value === null));
}

type GroupColumn = {
  readonly of: (hot: Hot) => Uint32Array | Uint8Array;
  /** All values of the column are below this. */
  readonly size: number;
  readonly valueOf: (value: number) => string | number | null;
};

function groupColumn(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, column: string): GroupColumn {
  if (expectKind(layout, column, ['code', 'small']) === 'small') {
    return { of: (hot) => hot.smalls[column] as Uint8Array, size: 256, valueOf: (value) => (value === nullSmall ? null : value) };
  }
  const values = dictionaries.get(column)?.values ?? [];
  return { of: (hot) => hot.codes[column] as Uint32Array, size: values.length, valueOf: (code) => values[code] ?? null };
}

/** Numbers the groups as they come and counts their rows. */
class Grouping {
  readonly counts: number[] = [];
  private readonly cells: number[] = [];
  private readonly columns: readonly GroupColumn[];
  private readonly width: number;
  /** The group of a cell (first value * width + second value), or -1; a map when a table would be too large. */
  private readonly table: Int32Array | null;
  private readonly map = new Map<number, number>();

  constructor(columns: readonly GroupColumn[]) {
    this.columns = columns;
    this.width = columns[1]?.size ?? 1;
    const size = (columns[0]?.size ?? 1) * this.width;
    this.table = size <= 2 ** 22 ? new Int32Array(size).fill(-1) : null;
    if (columns.length === 0) this.counts.push(0);
  }

  assign(hot: Hot, rows: Uint32Array, groups: Uint32Array, count: number): void {
    const { counts, table, map, width } = this;
    const [first, second] = this.columns.map((column) => column.of(hot));
    if (!first) {
      groups.fill(0);
      counts[0] = (counts[0] as number) + count;
      return;
    }
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      const cell = second ? (first[row] as number) * width + (second[row] as number) : (first[row] as number);
      const known = table ? (table[cell] as number) : (map.get(cell) ?? -1);
      const group = known < 0 ? this.open(cell) : known;
      groups[i] = group;
      counts[group] = (counts[group] as number) + 1;
    }
  }

  valuesOf(group: number): (string | number | null)[] {
    const cell = this.cells[group] ?? 0;
    const values = [Math.floor(cell / this.width), cell % this.width];
    return this.columns.map((column, i) => column.valueOf(values[i] as number));
  }

  private open(cell: number): number {
    const group = this.counts.push(0) - 1;
    this.cells.push(cell);
    if (this.table) this.table[cell] = group;
    else this.map.set(cell, group);
    return group;
  }
}
