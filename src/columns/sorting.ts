import type { Chunk } from './chunks.ts';
import { compareDecimals, type DecimalColumn, readDecimal } from './decimals.ts';
import type { Dictionary } from './dictionaries.ts';
import { compareKeys } from './keys.ts';
import { sortByKeys, type SortKeys } from './radix.ts';
import { expectKind, type Layout } from './schema.ts';
import { nullSmall, nullText, type TextColumn } from './segments.ts';
import { decimalKeys, keyKeys, rankKeys, type Slots, textKeys, timeKeys } from './sort-keys.ts';
import { compareBytes } from './utf8.ts';
import { bySlot, type View } from './view.ts';

/** One thing to sort by. Nulls come last whatever the direction. */
export type Sort = {
  /** A column's name, or 'time' or 'key'. */
  readonly column: string;
  readonly descending: boolean;
  /**
   * For a code or small column the rank of each code (see `table.codes`) or small value. A value without a rank sorts as if it
   * had the largest. Without ranks codes sort by their strings (UTF-16 order), smalls by number.
   */
  readonly ranks?: Uint32Array | readonly number[];
};

/** A sort made ready: `keys` gives a number per row whose order is the sort's, `compare` settles rows with equal numbers. */
export type Sorter = {
  readonly keys: (view: View, refs: Uint32Array, depth: number) => SortKeys;
  /** How many times more `keys` may be asked for the next 64 bits of rows that are equal so far. */
  readonly depths?: number;
  readonly compare: ((view: View) => (a: number, b: number) => number) | null;
};

/** Makes a sort ready. Throws a RangeError for an unknown column. */
export function compileSort(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, sort: Sort): Sorter {
  const { column, descending } = sort;
  const flip = descending ? 0xffffffff : 0;
  const sign = descending ? -1 : 1;
  if (column === 'time') return timeSorter(descending);
  if (column === 'key') return keySorter(descending);
  const kind = expectKind(layout, column, ['code', 'small', 'flag', 'decimal', 'text']);
  if (kind === 'decimal') {
    const of = (chunk: Chunk) => chunk.hot.decimals[column] as DecimalColumn;
    return {
      keys: (view, refs) => decimalKeys(refs, bySlot(view, of), flip),
      compare: (view) => settle(bySlot(view, of), (a, aRow, b, bRow) => sign * compareDecimalRows(a, aRow, b, bRow)),
    };
  }
  if (kind === 'text') {
    const of = (chunk: Chunk) => chunk.texts?.[column] as TextColumn;
    return {
      keys: (view, refs, depth) => textKeys(refs, bySlot(view, of), flip, depth * 8),
      depths: 8,
      compare: (view) => settle(bySlot(view, of), (a, aRow, b, bRow) => compareTextRows(a, aRow, b, bRow, sign)),
    };
  }
  const of = (chunk: Chunk) => (kind === 'flag' ? chunk.hot.flags : chunk.hot[kind === 'code' ? 'codes' : 'smalls'][column]) as Uint8Array;
  const ranks =
    kind === 'code' ? codeRanks(dictionaries.get(column), sort) : kind === 'small' ? smallRanks(sort) : flagRanks(layout, column);
  return { keys: (view, refs) => rankKeys(refs, bySlot(view, of), ranks, flip), compare: null };
}

/** Sorts by time. */
export function timeSorter(descending: boolean): Sorter {
  return { keys: (view, refs) => timeKeys(refs, bySlot(view, timeOf), descending ? 0xffffffff : 0), compare: null };
}

/** Sorts by key. */
export function keySorter(descending: boolean): Sorter {
  const sign = descending ? -1 : 1;
  return {
    keys: (view, refs) => keyKeys(refs, bySlot(view, keyOf), descending ? 0xffffffff : 0),
    compare: (view) => settle(bySlot(view, keyOf), (a, aRow, b, bRow) => sign * compareKeys(a, aRow * 4, b, bRow * 4)),
  };
}

/** Sorts references; rows that are equal in everything keep their order. The first sorter is the most significant. */
export function sortRefs(view: View, refs: Uint32Array, sorters: readonly Sorter[]): Uint32Array {
  return sorters.toReversed().reduce((order, sorter) => sortDeeply(view, order, sorter, 0), refs);
}

/** Runs of equal numbers shorter than this are settled by comparing. */
const longRun = 256;

/** Sorts by the numbers of one depth, then every run of equal numbers by those of the next, or in the end by comparing. Stable. */
function sortDeeply(view: View, refs: Uint32Array, sorter: Sorter, depth: number): Uint32Array {
  const { refs: sorted, high, low } = sortByKeys(refs, sorter.keys(view, refs, depth));
  const compare = sorter.compare?.(view);
  if (!compare) return sorted;
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    let inOrder = true;
    while (to < sorted.length && high[to] === high[from] && low[to] === low[from]) {
      inOrder &&= compare(sorted[to - 1] as number, sorted[to] as number) <= 0;
      to++;
    }
    if (!inOrder) {
      const run = sorted.slice(from, to);
      const deeper = to - from >= longRun && depth < (sorter.depths ?? 0);
      sorted.set(deeper ? sortDeeply(view, run, sorter, depth + 1) : Array.from(run).sort(compare), from);
    }
    from = to;
  }
  return sorted;
}

function settle<T>(slots: Slots<T>, compare: (a: T, aRow: number, b: T, bRow: number) => number): (a: number, b: number) => number {
  const { columns, bases } = slots;
  return (a, b) =>
    compare(columns[a >>> 16] as T, a - (bases[a >>> 16] as number), columns[b >>> 16] as T, b - (bases[b >>> 16] as number));
}

function compareDecimalRows(a: DecimalColumn, aRow: number, b: DecimalColumn, bRow: number): number {
  const same = a.d3[aRow] === b.d3[bRow] && a.d2[aRow] === b.d2[bRow] && a.d1[aRow] === b.d1[bRow] && a.d0[aRow] === b.d0[bRow];
  if (same && a.side.size === 0 && b.side.size === 0) return 0;
  const left = readDecimal(a, aRow);
  const right = readDecimal(b, bRow);
  return left && right ? compareDecimals(left, right) : 0;
}

function compareTextRows(a: TextColumn, aRow: number, b: TextColumn, bRow: number, sign: number): number {
  const aFrom = a.offsets[aRow] as number;
  const bFrom = b.offsets[bRow] as number;
  const aNull = a.bytes[aFrom] === nullText && a.offsets[aRow + 1] === aFrom + 1;
  const bNull = b.bytes[bFrom] === nullText && b.offsets[bRow + 1] === bFrom + 1;
  if (aNull || bNull) return Number(aNull) - Number(bNull);
  return sign * compareBytes(a.bytes, aFrom, a.offsets[aRow + 1] as number, b.bytes, bFrom, b.offsets[bRow + 1] as number);
}

const nullRank = 0xffffffff;
const unranked = nullRank - 1;

function codeRanks(dictionary: Dictionary | undefined, { ranks }: Sort): Uint32Array {
  const values = dictionary?.values ?? [];
  const result = new Uint32Array(values.length);
  if (ranks) for (let code = 1; code < result.length; code++) result[code] = ranks[code] ?? unranked;
  else {
    const codes = Array.from(values.keys()).slice(1);
    codes.sort((a, b) => ((values[a] as string) < (values[b] as string) ? -1 : 1));
    for (const [rank, code] of codes.entries()) result[code] = rank;
  }
  result[0] = nullRank;
  return result;
}

function smallRanks({ ranks }: Sort): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, small) => (small === nullSmall ? nullRank : ranks ? (ranks[small] ?? unranked) : small));
}

function flagRanks(layout: Layout, column: string): Uint32Array {
  const bit = layout.flags.indexOf(column);
  return Uint32Array.from({ length: 256 }, (_, flags) => (flags >>> bit) & 1);
}

function timeOf(chunk: Chunk): Float64Array {
  return chunk.hot.time;
}

function keyOf(chunk: Chunk): Uint32Array {
  return chunk.hot.key;
}
