import type { SegmentChunk } from './chunks.ts';
import type { Postings } from './postings.ts';
import { sortRefs } from './sort-refs.ts';
import type { Sorter } from './sorting.ts';
import { withBits } from './view.ts';

/** Rows of a segment in the exact ascending order of a sort, ties by row; from `valued` on those without a value. */
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

/** The rows of a segment by their code in a column, those of one code in the order of a sort; `valued` is where those with a value end. */
export type PartedOrder = { readonly starts: Uint32Array; readonly rows: Uint16Array; readonly valued: Uint32Array };

/** Parts an order by the codes of the rows. */
export function partOrder(order: NumberOrder, { starts, rows: posted }: Postings): PartedOrder {
  const codes = new Uint32Array(posted.length);
  for (let code = 0; code + 1 < starts.length; code++) {
    for (let at = starts[code] as number; at < (starts[code + 1] as number); at++) codes[posted[at] as number] = code;
  }
  const next = starts.slice();
  const rows = new Uint16Array(posted.length);
  const take = (from: number, to: number) => {
    for (let position = from; position < to; position++) {
      const row = order.rows[position] as number;
      const code = codes[row] as number;
      const at = next[code] as number;
      next[code] = at + 1;
      rows[at] = row;
    }
  };
  take(0, order.valued);
  const valued = next.slice();
  take(order.valued, rows.length);
  return { starts, rows, valued };
}

/** The order of the rows of one code. */
export function orderOfCode({ starts, rows, valued }: PartedOrder, code: number): NumberOrder {
  const start = starts[code] ?? rows.length;
  return { rows: rows.subarray(start, starts[code + 1]), valued: (valued[code] ?? start) - start };
}

/** The row at a position of the order, or of the descending one; rows without a value come last in both. */
export function rowInOrder({ rows, valued }: NumberOrder, position: number, descending: boolean): number {
  return rows[descending && position < valued ? valued - 1 - position : position] as number;
}
