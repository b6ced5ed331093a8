import { type Bits, listRows } from './bits.ts';
import { type Chunk, SegmentChunk } from './chunks.ts';
import type { Dictionary } from './dictionaries.ts';
import { GroupSums } from './group-sums.ts';
import { groupColumn } from './grouping.ts';
import { everyRow } from './pick.ts';
import { expectKind, type Layout } from './schema.ts';
import { bitsIn, countIn, type View } from './view.ts';

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

/** Sums made before, and the rows they are of. */
export type Summed = { readonly view: View; readonly sums: GroupSums };

/** Adds up the rows of a view, group by group; with `before` only what differs from the rows it is of. */
export function sumsOf(
  layout: Layout,
  dictionaries: ReadonlyMap<string, Dictionary>,
  view: View,
  request: TotalsRequest,
  before?: Summed,
): GroupSums {
  const { groupBy = [], sums = [], products = [] } = request;
  if (groupBy.length > 2) throw new RangeError(`Totals group by at most 2 columns, not ${groupBy.length}`);
  for (const column of [...sums, ...products.flat()]) expectKind(layout, column, ['decimal']);
  const columns = groupBy.map((column) => groupColumn(layout, dictionaries, column));
  const start = () => new GroupSums(columns, { sums, products });
  return before ? addDifference(start(), before, view) : addUp(start, view, JSON.stringify([groupBy, sums, products]));
}

/** What sums say, the groups in no particular order. */
export function totalsOf({ grouping, ...added }: GroupSums, request: TotalsRequest): Totals[] {
  const { groupBy = [], sums = [] } = request;
  for (const each of [...added.sums, ...added.products]) each.carry();
  const totals: Totals[] = [];
  for (let group = 0; group < grouping.size; group++) {
    const count = grouping.counts[group] as number;
    if (count === 0 && groupBy.length > 0) continue;
    totals.push({
      by: grouping.valuesOf(group),
      count,
      sums: Object.fromEntries(sums.map((name, i) => [name, added.sums[i]?.textOf(group) ?? '0'])),
      products: added.products.map((each) => each.textOf(group)),
    });
  }
  return totals;
}

/** How often each value of a code or small column occurs in a view, null first, then by code or number; values without a row are left out. */
export function facetsOf(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, view: View, column: string): Facet[] {
  const { grouping } = sumsOf(layout, dictionaries, view, { groupBy: [column] });
  const order = Array.from(grouping.firsts.keys()).toSorted((a, b) => (grouping.firsts[a] as number) - (grouping.firsts[b] as number));
  const facets = order.map((group) => ({ value: grouping.valuesOf(group)[0] ?? null, count: grouping.counts[group] as number }));
  return facets.filter(({ count }) => count > 0).toSorted((a, b) => Number(b.value === null) - Number(a.value === null));
}

/** The sealed rows are the same in both views but for those that came or went; the loose ones are taken away and added anew. */
function addDifference(all: GroupSums, before: Summed, view: View): GroupSums {
  all.merge(before.sums);
  for (const [index, chunk] of before.view.chunks.entries()) {
    if (chunk.sorted) addRows(all, chunk, less(before.view, view, index), -1);
    else addRows(all, chunk, bitsIn(before.view, index), -1);
  }
  for (const [index, chunk] of view.chunks.entries()) {
    if (chunk.sorted) addRows(all, chunk, less(view, before.view, index), 1);
    else addRows(all, chunk, bitsIn(view, index), 1);
  }
  return all;
}

/** The rows of a chunk that matched in one view and not in the other. */
function less(view: View, other: View, chunk: number): Bits {
  if (view.kept[chunk] === other.kept[chunk]) return nothing;
  const others = bitsIn(other, chunk);
  return bitsIn(view, chunk).map((word, w) => word & ~(others[w] as number));
}

const nothing: Bits = new Uint32Array();

function addUp(start: () => GroupSums, view: View, name: string): GroupSums {
  const all = start();
  for (const [index, chunk] of view.chunks.entries()) {
    const count = countIn(view, index);
    if (count === 0) continue;
    const whole = chunk instanceof SegmentChunk ? wholeOf(chunk, count, name, start) : undefined;
    if (whole) {
      all.merge(whole);
      if (count < chunk.rows) addRows(all, chunk, inverted(bitsIn(view, index), chunk.rows), -1);
    } else if (count === chunk.rows && count <= everyRow.length) all.add(chunk, everyRow, count);
    else addRows(all, chunk, bitsIn(view, index), 1);
  }
  return all;
}

/**
 * The totals of all rows of a segment, where that helps with `count` of them: they are remembered once they were wanted, and then a query
 * that leaves out fewer rows than it takes has those left out taken away again.
 */
function wholeOf(chunk: SegmentChunk, count: number, name: string, start: () => GroupSums): GroupSums | undefined {
  if (count * 2 < chunk.rows) return undefined;
  const known = chunk.totals.get(name);
  if (known || count < chunk.rows) return known;
  const whole = start();
  whole.add(chunk, everyRow, count);
  if (whole.grouping.size * 4 <= chunk.rows || whole.grouping.size <= 64) chunk.totals.set(name, whole);
  return whole;
}

const rows = new Uint32Array(pieceRows);

function addRows(sums: GroupSums, chunk: Chunk, bits: Bits, sign: 1 | -1): void {
  for (let word = 0; word < bits.length; word += pieceRows / 32) {
    const count = listRows(bits, rows, word, Math.min(bits.length, word + pieceRows / 32));
    if (count > 0) sums.add(chunk, rows, count, sign);
  }
}

function inverted(bits: Bits, rows: number): Bits {
  const others = bits.map((word) => ~word);
  if (rows & 31) others[others.length - 1] = (others.at(-1) as number) & (0xffffffff >>> (32 - (rows & 31)));
  return others;
}
