import { type Bits, allSet, countBits, listRows, subtract } from './bits.ts';
import { type Chunk, compareRows, firstRow, type SegmentChunk } from './chunks.ts';
import type { TableState } from './table-state.ts';

/** How rows that are too many for one segment are parted: full segments first, full segments last, or all alike. */
type Parting = 'full first' | 'full last' | 'even';

/** One or more neighbouring segments, with the rows of the delta that go into them. */
export type Rewrite = {
  chunks: SegmentChunk[];
  /** The range in `Plan.fresh` of the rows to add. */
  from: number;
  to: number;
  /** How many rows there will be. */
  rows: number;
  /** Whether anything changes at all. */
  touched: boolean;
  parting: Parting | null;
};

/** What a seal does: the rows of the delta in the default order, and what becomes of every segment, newest first. */
export type Plan = { readonly fresh: Uint32Array; readonly rewrites: readonly Rewrite[] };

/** The rows of a chunk that are not dead (hidden ones are alive). */
export function undead(chunk: Chunk): Bits {
  const bits = allSet(chunk.rows);
  if (chunk.dead) subtract(bits, chunk.dead);
  return bits;
}

/**
 * Decides which segments a seal rewrites. Rows between two segments go to one that has room, or else form segments of their own, so rows
 * that are all newer or all older than the rest never rewrite a full segment.
 */
export function planSeal({ segments, delta, maxRows }: TableState): Plan {
  const fresh = sortedDelta(delta);
  const rewrites: Rewrite[] = [];
  let done = 0;
  for (let i = 0; i <= segments.length; i++) {
    const chunk = segments[i];
    const own = chunk ? ownRewrite(chunk, delta, fresh) : null;
    const gapEnd = own?.from ?? fresh.length;
    if (gapEnd > done) {
      const newer = rewrites.at(-1);
      const roomy = [newer, own].filter((each) => each && each.rows < maxRows);
      const taker = roomy.find((each) => each?.touched) ?? roomy[0];
      if (taker) widen(taker, done, gapEnd, taker === newer ? 'full first' : 'full last');
      else rewrites.push(newRewrite(done, gapEnd, !newer && own ? 'full last' : own ? 'even' : 'full first'));
    }
    if (own) rewrites.push(own);
    done = own?.to ?? fresh.length;
  }
  return { fresh, rewrites: joinSmall(rewrites, maxRows) };
}

/** The sizes of the segments that a rewrite makes, newest first. */
export function pieceSizes({ rows, parting }: Rewrite, maxRows: number): number[] {
  const pieces = Math.ceil(rows / maxRows);
  if (parting === 'even')
    return Array.from({ length: pieces }, (_, i) => Math.floor((rows * (i + 1)) / pieces) - Math.floor((rows * i) / pieces));
  const sizes = Array.from({ length: pieces }, (_, i) => Math.min(maxRows, rows - i * maxRows));
  return parting === 'full last' ? sizes.toReversed() : sizes;
}

function sortedDelta(delta: Chunk): Uint32Array {
  const rows = new Uint32Array(delta.rows);
  const count = listRows(undead(delta), rows);
  return rows.slice(0, count).sort((a, b) => compareRows(delta.hot, a, delta.hot, b));
}

function ownRewrite(chunk: SegmentChunk, delta: Chunk, fresh: Uint32Array): Rewrite {
  const compareTo = (at: number, row: number) => compareRows(delta.hot, fresh[at] as number, chunk.hot, row);
  const from = firstRow(fresh.length, (at) => compareTo(at, 0) >= 0);
  const to = firstRow(fresh.length, (at) => compareTo(at, chunk.rows - 1) > 0);
  const alive = chunk.dead ? countBits(undead(chunk)) : chunk.rows;
  return {
    chunks: [chunk],
    from,
    to,
    rows: alive + to - from,
    touched: alive < chunk.rows || to > from,
    parting: to > from ? 'even' : null,
  };
}

function newRewrite(from: number, to: number, parting: Parting): Rewrite {
  return { chunks: [], from, to, rows: to - from, touched: true, parting };
}

function widen(rewrite: Rewrite, from: number, to: number, parting: Parting): void {
  rewrite.from = Math.min(rewrite.from, from);
  rewrite.to = Math.max(rewrite.to, to);
  rewrite.rows += to - from;
  rewrite.touched = true;
  rewrite.parting = rewrite.parting === null ? parting : 'even';
}

/** Joins neighbours that together fill no more than half a segment, where one of them is rewritten anyway; leaves out what is empty. */
function joinSmall(rewrites: readonly Rewrite[], maxRows: number): Rewrite[] {
  const joined: Rewrite[] = [];
  for (const next of rewrites) {
    const last = joined.at(-1);
    const small = last && last.rows > 0 && next.rows > 0 && last.rows + next.rows <= maxRows / 2;
    if (last && small && (last.touched || next.touched)) {
      last.chunks.push(...next.chunks);
      last.to = next.to;
      last.rows += next.rows;
      last.touched = true;
    } else joined.push(next);
  }
  return joined;
}
