import { type Bits, countBits, hasBit, intersect, isEmpty, setBit } from './bits.ts';
import { type Chunk, SegmentChunk } from './chunks.ts';
import { type Beside, type Filter, stretchIn } from './filters.ts';
import { type Listed, mostListed } from './postings.ts';
import type { Span } from './times.ts';

/** What is kept of a chunk's rows; those outside the span of times that the filters leave open need no look. */
export type Keeping = { readonly filters: readonly Filter[]; readonly span: Span };

/** Which rows of a chunk some filters kept (nobody writes into the bits), and how many. */
export interface Kept {
  readonly bits: Bits;
  readonly count: number;
  /** The rows one after another, where they were listed. */
  readonly rows?: Uint16Array;
  /** What lists them, where they are all that it lists. */
  readonly listed?: Listed | null;
}

/**
 * Of the rows in `seen` those that every filter keeps. Where one filter of a segment can list a few rows the others are asked about these
 * alone: what that costs goes by the rows listed, not by the rows there are.
 */
export function keepAll(chunk: Chunk, seen: Bits, { filters, span }: Keeping): Kept {
  if (chunk instanceof SegmentChunk) {
    const stretch = stretchIn(chunk, span);
    for (const lister of filters) {
      const listed = lister.list?.(chunk, stretch);
      if (listed)
        return keepOfListed(chunk, seen, { listed, filters: filters.filter((other) => other !== lister && other.isSpan !== true) });
    }
  }
  const bits = seen.slice();
  keepEach(chunk, bits, filters);
  return { bits, count: countBits(bits) };
}

/** Clears the bits of the rows that some filter does not keep. */
export function keepEach(chunk: Chunk, bits: Bits, filters: readonly Filter[]): void {
  for (const filter of filters) {
    if (isEmpty(bits)) break;
    filter.keep(chunk, bits);
  }
}

// Scratch of one segment: places in its postings.
const places = new Uint16Array(mostListed);

/** What the filters keep of the rows that one of them listed. */
function keepOfListed(chunk: SegmentChunk, seen: Bits, { listed, filters }: { listed: Listed; filters: readonly Filter[] }): Kept {
  const besides: Beside[] = [];
  const others: Filter[] = [];
  for (const filter of filters) {
    const beside = filter.beside?.(chunk, listed);
    if (beside) besides.push(beside);
    else others.push(filter);
  }
  if (besides.length === 0 && others.length === 0) return keepOfAll(chunk, seen, listed);
  const [a = anything, b = a, ...more] = besides;
  let count = keepBoth(listed, a, b);
  for (const beside of more) count = keepPlaces(count, beside);
  const { rows } = listed.postings;
  if (others.length === 0 && count <= mostFew) return new ListedRows(seenRows(chunk, seen, rows, count), seen.length);
  const bits = new Uint32Array(seen.length);
  for (let i = 0; i < count; i++) setBit(bits, rows[places[i] as number] as number);
  if (seen === chunk.all && others.length === 0) return { bits, count };
  if (seen !== chunk.all) intersect(bits, seen);
  keepEach(chunk, bits, others);
  return { bits, count: countBits(bits) };
}

/** All listed rows that are seen. */
function keepOfAll(chunk: SegmentChunk, seen: Bits, listed: Listed): Kept {
  const { ranges } = listed;
  const { rows } = listed.postings;
  if (seen === chunk.all && ranges.length <= 2) return new ListedRows(rows.subarray(ranges[0] ?? 0, ranges[1] ?? 0), seen.length, listed);
  const bits = new Uint32Array(seen.length);
  let count = 0;
  for (let range = 0; range < ranges.length; range += 2) {
    const part = rows.subarray(ranges[range], ranges[range + 1]);
    count += part.length;
    setRows(bits, part);
  }
  if (seen === chunk.all) return { bits, count, listed };
  intersect(bits, seen);
  return { bits, count: countBits(bits) };
}

/** The rows at the kept places, but for those that are not seen. */
function seenRows(chunk: SegmentChunk, seen: Bits, rows: Uint16Array, count: number): Uint16Array {
  const kept = new Uint16Array(count);
  const isEachSeen = seen === chunk.all;
  let left = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[places[i] as number] as number;
    kept[left] = row;
    left += isEachSeen || hasBit(seen, row) ? 1 : 0;
  }
  return kept.subarray(0, left);
}

/** Of several lists more rows than these are kept as a bitmap at once: to list them anew would take longer. */
const mostFew = 1_024;

/**
 * Rows kept of a chunk as a list. Their bitmap is made when somebody looks at it: who wants the number of all rows and the newest of them
 * looks at one or two, and new memory for each would cost more than to find the rows.
 */
class ListedRows implements Kept {
  readonly rows: Uint16Array;
  private readonly words: number;
  readonly listed: Listed | null;
  private made: Bits | null = null;

  constructor(rows: Uint16Array, words: number, listed: Listed | null = null) {
    this.rows = rows;
    this.words = words;
    this.listed = listed;
  }

  get count(): number {
    return this.rows.length;
  }

  get bits(): Bits {
    if (this.made === null) {
      this.made = new Uint32Array(this.words);
      setRows(this.made, this.rows);
    }
    return this.made;
  }
}

function setRows(bits: Bits, rows: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) setBit(bits, rows[i] as number);
}

/** What lets every row through. */
const anything: Beside = { values: new Uint8Array(65_536), table: new Uint8Array(256).fill(1) };

/** Writes the places of the listed rows that both let through. @returns how many. */
function keepBoth({ ranges }: Listed, a: Beside, b: Beside): number {
  const [aValues, aTable, bValues, bTable] = [a.values, a.table, b.values, b.table];
  let count = 0;
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number;
    for (let place = ranges[range] as number; place < end; place++) {
      places[count] = place;
      // counted, not branched on: which way it goes is anybody's guess
      count += (aTable[aValues[place] as number] as number) & (bTable[bValues[place] as number] as number);
    }
  }
  return count;
}

/** Moves the places of those rows to the front that are let through. @returns how many. */
function keepPlaces(count: number, { values, table }: Beside): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const place = places[i] as number;
    places[kept] = place;
    kept += table[values[place] as number] as number;
  }
  return kept;
}
