import { allSet, type Bits, listRows, subtract } from './bits.ts';
import { type Chunk, compareRows } from './chunks.ts';
import { FirstOf } from './first-of.ts';

/** Some rows of a chunk, in the default order. */
export type Rows = { readonly chunk: Chunk; readonly rows: Uint32Array };

/** Rows of some chunks in one order, as runs of neighbours: run i is the rows `row[i]` to `row[i] + (at[i + 1] - at[i])` of `source[i]`. */
export type Picks = {
  readonly sources: readonly Chunk[];
  readonly source: number[];
  readonly row: number[];
  /** Where each run begins among all the rows; its last entry is how many there are. */
  readonly at: number[];
};

/** How many rows are merged between two breaths. */
const mergedAtOnce = 4096;

/** The rows of a chunk that are not dead (hidden ones are alive). */
export function undead(chunk: Chunk): Bits {
  const bits = allSet(chunk.rows);
  if (chunk.dead) subtract(bits, chunk.dead);
  return bits;
}

/** The rows of a sorted chunk that are not dead. */
export function undeadRows(chunk: Chunk): Rows {
  const rows = new Uint32Array(chunk.rows);
  return { chunk, rows: rows.subarray(0, listRows(undead(chunk), rows)) };
}

type Head = { readonly source: number; readonly chunk: Chunk; readonly rows: Uint32Array; next: number };

/** Merges rows in the default order into pieces of the given sizes. Yields now and then, to be stopped or gone on with. */
export function* mergeRows(parts: readonly Rows[], sizes: readonly number[]): Generator<void, Picks[]> {
  const sources = parts.map(({ chunk }) => chunk);
  const heads = parts.map(({ chunk, rows }, source): Head => ({ source, chunk, rows, next: 0 })).filter(({ rows }) => rows.length > 0);
  const heap = new FirstOf(heads, (a, b) => compareRows(a.chunk.hot, a.rows[a.next] as number, b.chunk.hot, b.rows[b.next] as number) < 0);
  const pieces: Picks[] = [];
  for (const size of sizes) {
    const picks: Picks = { sources, source: [], row: [], at: [] };
    for (let at = 0; at < size; at++) {
      const head = heap.first as Head;
      const row = head.rows[head.next++] as number;
      const run = picks.at.length - 1;
      const follows = run >= 0 && picks.source[run] === head.source && row === (picks.row[run] as number) + at - (picks.at[run] as number);
      if (!follows) {
        picks.source.push(head.source);
        picks.row.push(row);
        picks.at.push(at);
      }
      heap.goneOn(head.next === head.rows.length);
      if (at % mergedAtOnce === mergedAtOnce - 1) yield;
    }
    picks.at.push(size);
    pieces.push(picks);
    yield;
  }
  return pieces;
}
