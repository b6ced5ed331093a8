import { compareRows, type SegmentChunk } from './chunks.ts';

/** Segments in the default order of their first rows, and the fewest runs of them within which each comes wholly before the next. */
export type Runs = { readonly segments: readonly SegmentChunk[]; readonly runs: readonly (readonly number[])[] };

/** Puts segments in order and parts them into runs. */
export function runsOf(chunks: readonly SegmentChunk[]): Runs {
  const segments = chunks.toSorted((a, b) => compareRows(a.hot, 0, b.hot, 0));
  const runs: number[][] = [];
  for (const [index, chunk] of segments.entries()) {
    const free = runs.find((run) => isBefore(segments[run.at(-1) as number] as SegmentChunk, chunk));
    if (free) free.push(index);
    else runs.push([index]);
  }
  return { segments, runs };
}

/** Whether all rows of a segment come before all rows of another. */
export function isBefore(a: SegmentChunk, b: SegmentChunk): boolean {
  return compareRows(a.hot, a.rows - 1, b.hot, 0) < 0;
}

/** Whether the ranges of two segments overlap. */
export function overlap(a: SegmentChunk, b: SegmentChunk): boolean {
  return !isBefore(a, b) && !isBefore(b, a);
}
