import { type Bits, setBit } from './bits.ts';
import type { CodeColumn } from './segments.ts';

/** The rows of a segment by the value they have in a column: those with `code` are `rows[starts[code]]` to `rows[starts[code + 1]]`, ascending. */
export type Postings = { readonly starts: Uint32Array; readonly rows: Uint16Array };

/** Sorts the rows of a column by its codes, or null where a list of all codes would be longer than the column. */
export function postingsOf(codes: CodeColumn): Postings | null {
  let most = 0;
  for (let row = 0; row < codes.length; row++) if ((codes[row] as number) > most) most = codes[row] as number;
  if (most > codes.length) return null;
  const starts = new Uint32Array(most + 2);
  for (let row = 0; row < codes.length; row++) {
    const after = (codes[row] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let code = 1; code < starts.length; code++) starts[code] = (starts[code] as number) + (starts[code - 1] as number);
  const next = starts.slice();
  const rows = new Uint16Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    const at = next[code] as number;
    next[code] = at + 1;
    rows[at] = row;
  }
  return { starts, rows };
}

/** Walking the rows of a code costs about as much as testing so many rows one after another. */
const costOfRow = 4;

/** Rows of a chunk one after another: `end` is excluded. */
export type Stretch = { readonly first: number; readonly end: number };

/** Some rows of a segment. */
export type Listed = {
  readonly column: string;
  readonly postings: Postings;
  /** From a place of the postings to another (excluded), and so on, by twos. */
  readonly ranges: readonly number[];
  /** The codes whose rows they are, where they are all of those. */
  readonly codes: readonly number[] | null;
};

/** The most rows that are listed. */
export const mostListed = 65_536 / costOfRow;

/** Lists the rows of a stretch that have one of the codes of a column, or gives null when to test every row is cheaper. */
export function listPosted(column: string, postings: Postings, codes: readonly number[], { first, end }: Stretch): Listed | null {
  const { starts, rows } = postings;
  const isWhole = first === 0 && end === rows.length;
  const ranges: number[] = [];
  let count = 0;
  for (const code of codes) {
    if (code + 1 >= starts.length) continue;
    let [from, to] = [starts[code] as number, starts[code + 1] as number];
    if (!isWhole) {
      from = firstAt(rows, from, to, first);
      to = firstAt(rows, from, to, end);
    }
    count += to - from;
    if (count * costOfRow > end - first) return null;
    ranges.push(from, to);
  }
  return { column, postings, ranges, codes: isWhole ? codes : null };
}

// Scratch of one segment.
const held = new Uint32Array(2048);

/**
 * Clears the bits of the rows that have none of the codes, when that is cheaper than to test every row.
 * @returns whether it was.
 */
export function keepPosted(bits: Bits, { starts, rows }: Postings, codes: readonly number[]): boolean {
  let firstWord = 0;
  while (firstWord < bits.length && bits[firstWord] === 0) firstWord++;
  let endWord = bits.length;
  while (endWord > firstWord && bits[endWord - 1] === 0) endWord--;
  const [from, to] = [firstWord << 5, endWord << 5];
  const ranges: number[] = [];
  let posted = 0;
  for (const code of codes) {
    if (code + 1 >= starts.length) continue;
    const start = firstAt(rows, starts[code] as number, starts[code + 1] as number, from);
    const end = firstAt(rows, start, starts[code + 1] as number, to);
    posted += end - start;
    if (posted * costOfRow > to - from) return false;
    ranges.push(start, end);
  }
  held.fill(0, firstWord, endWord);
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number;
    for (let at = ranges[range] as number; at < end; at++) setBit(held, rows[at] as number);
  }
  for (let w = firstWord; w < endWord; w++) bits[w] = (bits[w] as number) & (held[w] as number);
  return true;
}

/** The first place from `low` to `high` (excluded) with `row` or a later one; `high` when there is none. */
function firstAt(rows: Uint16Array, low: number, high: number, row: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rows[middle] as number) >= row) to = middle;
    else from = middle + 1;
  }
  return from;
}
