import type { Chunk } from './chunks.ts';
import { type DecimalColumn, marked, readDecimal, safe } from './decimal-columns.ts';
import { compareDecimals } from './decimals.ts';
import type { Dictionary } from './dictionaries.ts';
import { compareKeys } from './keys.ts';
import { expectKind, type Layout } from './schema.ts';
import { type CodeColumn, nullSmall, nullText, type TextColumn } from './segments.ts';
import { decimalNumbers, keyNumbers, type Numbering, rankNumbers, textNumbers, timeNumbers } from './sort-numbers.ts';
import { timeOf } from './times.ts';
import { compareBytes } from './utf8.ts';

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

/** A column by whose numbers a segment may keep its rows sorted, and whether the sort goes the other way. */
export type Ordered = { readonly column: string; readonly descending: boolean; readonly ascending: () => Sorter };

/** A sort made ready. */
export type Sorter = {
  /** The scale that the numbers of a chunk need; those of several chunks agree at the largest of theirs. */
  readonly scaleOf?: (chunk: Chunk) => number;
  /** Writes a number per listed row whose order is the sort's. `depth` asks for what follows where all before it is equal. */
  readonly numbers: (chunk: Chunk, numbering: Numbering, scale: number, depth: number) => void;
  /** How often `numbers` has something to add. */
  readonly depths: number;
  /** Whether rows of a chunk with equal numbers below this magnitude, or without a value, are equal. */
  readonly exactBelow: (chunk: Chunk) => number;
  /** Compares two rows exactly, also of two tables (where ranks are given, by those that each table was given). */
  readonly compare: (a: Chunk, aRow: number, b: Chunk, bRow: number, other: Sorter) => number;
  readonly ordered?: Ordered;
  /** For a code column: what its codes sort by. */
  readonly rankOf?: (chunk: Chunk, row: number) => number | string;
};

/** Makes a sort ready. Throws a RangeError for an unknown column. */
export function compileSort(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, sort: Sort): Sorter {
  const { column, descending } = sort;
  const sign = descending ? -1 : 1;
  if (column === 'time') return timeSorter(sign);
  if (column === 'key') return keySorter(sign);
  const kind = expectKind(layout, column, ['code', 'small', 'flag', 'decimal', 'text']);
  if (kind === 'decimal') return decimalSorter(column, sign);
  if (kind === 'text') return textSorter(column, sign);
  const of = (chunk: Chunk) => (kind === 'flag' ? chunk.hot.flags : chunk.hot[kind === 'code' ? 'codes' : 'smalls'][column]) as CodeColumn;
  const ranks =
    kind === 'code' ? codeRanks(dictionaries.get(column), sort) : kind === 'small' ? smallRanks(sort) : flagRanks(layout, column);
  const strings = kind === 'code' && !sort.ranks ? dictionaries.get(column)?.values : undefined;
  return rankSorter(of, ranks, sign, strings);
}

/** Sorts by what a value ranks, Infinity for a null; `strings` are the values themselves where the ranks mean nothing in another table. */
function rankSorter(of: (chunk: Chunk) => CodeColumn, ranks: Float64Array, sign: number, strings?: readonly (string | null)[]): Sorter {
  const signed = sign < 0 ? ranks.map((rank) => (rank === Infinity ? rank : -rank)) : ranks;
  const rankOf = (chunk: Chunk, row: number): number | string => {
    const value = of(chunk)[row] as number;
    return strings?.[value] ?? (ranks[value] as number);
  };
  return {
    numbers: (chunk, numbering) => rankNumbers(of(chunk), signed, numbering),
    depths: 1,
    exactBelow: () => Infinity,
    rankOf,
    compare: (a, aRow, b, bRow, other) => {
      const left = rankOf(a, aRow);
      const right = other.rankOf?.(b, bRow) ?? Infinity;
      if (left === Infinity || right === Infinity) return Number(left === Infinity) - Number(right === Infinity);
      return left < right ? -sign : left > right ? sign : 0;
    },
  };
}

function timeSorter(sign: number): Sorter {
  return {
    numbers: (chunk, numbering) => timeNumbers(chunk.hot.time, sign, numbering),
    depths: 1,
    exactBelow: () => Infinity,
    compare: (a, aRow, b, bRow) => sign * (timeOf(a.hot.time, aRow) - timeOf(b.hot.time, bRow)),
  };
}

function keySorter(sign: number): Sorter {
  return {
    numbers: (chunk, numbering) => keyNumbers(chunk.hot.key, sign, numbering),
    depths: 1,
    exactBelow: () => 0,
    compare: (a, aRow, b, bRow) => sign * compareKeys(a.hot.key, aRow * 4, b.hot.key, bRow * 4),
  };
}

/** The default order. */
export const byDefault: readonly [Sorter, ...Sorter[]] = [timeSorter(-1), keySorter(-1)];

function decimalSorter(column: string, sign: number): Sorter {
  const of = (chunk: Chunk) => chunk.hot.decimals[column] as DecimalColumn;
  return {
    scaleOf: (chunk) => of(chunk).scale,
    numbers: (chunk, numbering, scale) => decimalNumbers(of(chunk), scale, sign, numbering),
    ordered: { column, descending: sign < 0, ascending: () => decimalSorter(column, 1) },
    depths: 1,
    exactBelow: (chunk) => (of(chunk).side.size > 0 ? 0 : safe),
    compare: (a, aRow, b, bRow) => compareDecimalRows(of(a), aRow, of(b), bRow, sign),
  };
}

function compareDecimalRows(a: DecimalColumn, aRow: number, b: DecimalColumn, bRow: number, sign: number): number {
  const aTop = a.top?.[aRow] ?? marked;
  const bTop = b.top?.[bRow] ?? marked;
  if (aTop === marked || bTop === marked || a.scale !== b.scale || a.low.length !== b.low.length) {
    const [left, right] = [readDecimal(a, aRow), readDecimal(b, bRow)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compareDecimals(left, right);
  }
  let order = aTop - bTop;
  for (let limb = a.low.length - 1; order === 0 && limb >= 0; limb--) {
    order = (a.low[limb]?.[aRow] as number) - (b.low[limb]?.[bRow] as number);
  }
  return sign * order;
}

function textSorter(column: string, sign: number): Sorter {
  const of = (chunk: Chunk) => chunk.texts?.[column] as TextColumn;
  return {
    numbers: (chunk, numbering, _, depth) => textNumbers(of(chunk), depth, sign, numbering),
    depths: 10,
    exactBelow: () => 0,
    compare: (a, aRow, b, bRow) => compareTextRows(of(a), aRow, of(b), bRow, sign),
  };
}

function compareTextRows(a: TextColumn, aRow: number, b: TextColumn, bRow: number, sign: number): number {
  const aFrom = a.offsets[aRow] as number;
  const bFrom = b.offsets[bRow] as number;
  const aNull = a.bytes[aFrom] === nullText && a.offsets[aRow + 1] === aFrom + 1;
  const bNull = b.bytes[bFrom] === nullText && b.offsets[bRow + 1] === bFrom + 1;
  if (aNull || bNull) return Number(aNull) - Number(bNull);
  return sign * compareBytes(a.bytes, aFrom, a.offsets[aRow + 1] as number, b.bytes, bFrom, b.offsets[bRow + 1] as number);
}

/** The rank of a value without one: after all others, before null. */
const unranked = 2 ** 32;

function codeRanks(dictionary: Dictionary | undefined, { ranks }: Sort): Float64Array {
  const values = dictionary?.values ?? [];
  const result = new Float64Array(values.length);
  if (ranks) for (let code = 1; code < result.length; code++) result[code] = ranks[code] ?? unranked;
  else {
    const codes = Array.from(values.keys()).slice(1);
    codes.sort((a, b) => ((values[a] as string) < (values[b] as string) ? -1 : 1));
    for (const [rank, code] of codes.entries()) result[code] = rank;
  }
  result[0] = Infinity;
  return result;
}

function smallRanks({ ranks }: Sort): Float64Array {
  return Float64Array.from({ length: 256 }, (_, small) => (small === nullSmall ? Infinity : ranks ? (ranks[small] ?? unranked) : small));
}

function flagRanks(layout: Layout, column: string): Float64Array {
  const bit = layout.flags.indexOf(column);
  return Float64Array.from({ length: 256 }, (_, flags) => (flags >>> bit) & 1);
}
