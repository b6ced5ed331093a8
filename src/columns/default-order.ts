import { countBelow, countBits, hasBit, listRows, popcount } from './bits.ts';
import { compareRows, firstRow, rowAfter, type Chunk } from './chunks.ts';
import { keySorter, sortRefs, timeSorter } from './sorting.ts';
import { locate, type View } from './view.ts';

/**
 * The default order (time descending, key descending) of a view. The sorted chunks cost nothing: their bits are walked. Only the matched
 * loose rows are sorted, each with the position it takes among all.
 */
export type DefaultOrder = { readonly view: View; readonly looseRefs: Uint32Array; readonly loosePositions: Uint32Array };

/** Sorts the loose rows of a view in between the sorted ones. */
export function defaultOrderOf(view: View): DefaultOrder {
  const refs: number[] = [];
  for (const [index, chunk] of view.chunks.entries()) {
    if (chunk.sorted) continue;
    const rows = new Uint32Array(view.counts[index] as number);
    listRows(view.bits[index] as Uint32Array, rows);
    for (const row of rows) refs.push((view.bases[index] as number) + row);
  }
  const looseRefs = sortRefs(view, Uint32Array.from(refs), [timeSorter(true), keySorter(true)]);
  return { view, looseRefs, loosePositions: positionsOf(view, looseRefs) };
}

/** The references at `offset` to `offset + limit` of the default order. */
export function walk({ view, looseRefs, loosePositions }: DefaultOrder, offset: number, limit: number): Uint32Array {
  const start = Math.min(offset, view.count);
  const refs = new Uint32Array(Math.min(limit, view.count - start));
  let loose = firstRow(loosePositions.length, (at) => (loosePositions[at] as number) >= start);
  const base = baseWalker(view, start - loose);
  for (let i = 0; i < refs.length; i++) refs[i] = loosePositions[loose] === start + i ? (looseRefs[loose++] as number) : base();
  return refs;
}

/** The position of a reference in the default order, or -1 when it is not matched. */
export function positionIn({ view, looseRefs, loosePositions }: DefaultOrder, ref: number): number {
  const { chunk, row } = locate(view, ref);
  const bits = view.bits[chunk] as Uint32Array;
  if (!hasBit(bits, row)) return -1;
  if (!view.chunks[chunk]?.sorted) return loosePositions[looseRefs.indexOf(ref)] as number;
  let rank = countBelow(bits, row);
  for (let before = 0; before < chunk; before++) rank += view.counts[before] as number;
  return rank + firstRow(loosePositions.length, (at) => (loosePositions[at] as number) - at > rank);
}

/** A function that gives the references of matched rows of the sorted chunks one by one, from the `rank`-th on. */
function baseWalker(view: View, rank: number): () => number {
  let chunk = 0;
  let left = rank;
  while (chunk < view.counts.length && left >= (view.counts[chunk] as number)) left -= view.counts[chunk++] as number;
  let bits = view.bits[chunk] ?? new Uint32Array();
  let word = 0;
  for (let held = popcount(bits[0] ?? 0); word < bits.length && left >= held; held = popcount(bits[word] ?? 0)) {
    left -= held;
    word++;
  }
  let rest = bits[word] ?? 0;
  for (; left > 0; left--) rest &= rest - 1;
  return () => {
    while (rest === 0) {
      if (++word >= bits.length) {
        bits = view.bits[++chunk] as Uint32Array;
        word = 0;
      }
      rest = bits[word] ?? 0;
    }
    const row = (word << 5) + 31 - Math.clz32(rest & -rest);
    rest &= rest - 1;
    return (view.bases[chunk] as number) + row;
  };
}

/** The position of each loose row (sorted) among all matched rows, in one pass over the bitmaps. */
function positionsOf(view: View, looseRefs: Uint32Array): Uint32Array {
  const positions = new Uint32Array(looseRefs.length);
  const sorted = view.chunks.filter((chunk) => chunk.sorted);
  let chunk = 0;
  let word = 0;
  let before = 0;
  for (const [i, ref] of looseRefs.entries()) {
    const at = locate(view, ref);
    const hot = (view.chunks[at.chunk] as Chunk).hot;
    const comesFirst = (other: Chunk) => compareRows(other.hot, other.rows - 1, hot, at.row) < 0;
    for (let next = sorted[chunk]; next && comesFirst(next); next = sorted[chunk]) {
      before += countBits(view.bits[chunk++] as Uint32Array, word);
      word = 0;
    }
    const holder = sorted[chunk];
    let inside = 0;
    if (holder) {
      const bits = view.bits[chunk] as Uint32Array;
      const row = rowAfter(holder, hot, at.row);
      before += countBits(bits, word, row >>> 5);
      word = row >>> 5;
      inside = row & 31 ? popcount((bits[word] as number) & (0xffffffff >>> (32 - (row & 31)))) : 0;
    }
    positions[i] = before + inside + i;
  }
  return positions;
}
