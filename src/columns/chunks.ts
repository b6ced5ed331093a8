import { type Bits, allSet, countBits, subtract } from './bits.ts';
import { buildKeyIndex, findKey, type KeyIndex } from './key-index.ts';
import { compareKeys, type Key } from './keys.ts';
import type { Hot, Segment, TextColumn, TextTier } from './segments.ts';

/** Rows in memory that a query scans as one piece: a segment, the delta or the overlay. */
export type Chunk = {
  readonly rows: number;
  readonly hot: Hot;
  /** The text columns, or null while a segment's text is not loaded. */
  readonly texts: Readonly<Record<string, TextColumn>> | null;
  /** Whether the rows lie in the order (time descending, key descending). */
  readonly sorted: boolean;
  /** Rows replaced or removed for good, kept until the next seal. May be longer than the rows need. */
  readonly dead: Bits | null;
  /** Rows that the overlay stands in for. May be longer than the rows need. */
  readonly hidden: Bits | null;
  /** The last row of this key, dead or not, or -1. */
  find(key: Key): number;
};

/** A segment with what a table knows about it in memory. */
export class SegmentChunk implements Chunk {
  readonly sorted = true;
  readonly segment: Segment;
  readonly rows: number;
  readonly hot: Hot;
  text: TextTier | null;
  dead: Bits | null = null;
  hidden: Bits | null = null;
  private index: KeyIndex | null = null;

  constructor(segment: Segment) {
    this.segment = segment;
    this.rows = segment.rows;
    this.hot = segment.hot;
    this.text = segment.text;
  }

  get texts(): Readonly<Record<string, TextColumn>> | null {
    return this.text?.columns ?? null;
  }

  find(key: Key): number {
    this.index ??= buildKeyIndex(this.hot.key, this.rows);
    return findKey(this.index, key.words);
  }
}

/** A bitmap of the rows of a chunk that a query sees. */
export function liveBits(chunk: Chunk): Bits {
  const bits = allSet(chunk.rows);
  if (chunk.dead) subtract(bits, chunk.dead);
  if (chunk.hidden) subtract(bits, chunk.hidden);
  return bits;
}

/** How many rows of a chunk are neither dead nor hidden. */
export function liveRows(chunk: Chunk): number {
  return chunk.dead || chunk.hidden ? countBits(liveBits(chunk)) : chunk.rows;
}

/** Compares two rows in the default order (time descending, key descending): negative when `a` comes first. */
export function compareRows(a: Hot, aRow: number, b: Hot, bRow: number): number {
  return (b.time[bRow] as number) - (a.time[aRow] as number) || compareKeys(b.key, bRow * 4, a.key, aRow * 4);
}

/** The first row of a sorted chunk that comes after `row` of `hot` in the default order; `rows` when there is none. */
export function rowAfter(chunk: Chunk, hot: Hot, row: number): number {
  return firstRow(chunk.rows, (at) => compareRows(chunk.hot, at, hot, row) > 0);
}

/** The first of `rows` rows for which `holds` (false for some rows, then true for the rest); `rows` when there is none. */
export function firstRow(rows: number, holds: (row: number) => boolean): number {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
