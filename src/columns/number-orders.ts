import type { SegmentChunk } from './chunks.ts';
import { sortRefs } from './sort-refs.ts';
import type { Sorter } from './sorting.ts';
import { withBits } from './view.ts';

/** The rows of a segment in the exact ascending order of a sort, ties by row; from `valued` on those without a value. */
export type NumberOrder = { readonly rows: Uint16Array; readonly valued: number };

/** Sorts the rows of a segment. Exactly, for numbers that tie at one scale may differ at another. */
export function numberOrderOf(chunk: SegmentChunk, sorter: Sorter): NumberOrder {
  const all = Uint32Array.from({ length: chunk.rows }, (_, row) => row);
  const view = withBits({ chunks: [chunk], runs: [], live: [chunk.all], bases: [0], slots: [0] }, [chunk.all]);
  const rows = sortRefs(view, all, [sorter]);
  const numbers = new Float64Array(chunk.rows);
  sorter.numbers(chunk, { rows, count: chunk.rows, numbers, at: 0, limit: Infinity }, sorter.scaleOf?.(chunk) ?? 0, 0);
  const firstNull = numbers.indexOf(Infinity);
  return { rows: Uint16Array.from(rows), valued: firstNull < 0 ? chunk.rows : firstNull };
}

/** The row at a position of the order, or of the descending one; rows without a value come last in both. */
export function rowInOrder({ rows, valued }: NumberOrder, position: number, descending: boolean): number {
  return rows[descending && position < valued ? valued - 1 - position : position] as number;
}
