import type { Chunk } from './chunks.ts';
import { sortByNumbers } from './radix.ts';
import type { Numbering } from './sort-numbers.ts';

/** The rows of a segment by the numbers that a sort gives them, ascending; from `valued` on those without a value. */
export type NumberOrder = { readonly rows: Uint16Array; readonly valued: number };

/** Sorts the rows of a segment by the numbers that `number` writes. */
export function numberOrderOf({ rows: count }: Chunk, number: (numbering: Numbering) => void): NumberOrder {
  const rows = Uint32Array.from({ length: count }, (_, row) => row);
  const numbers = new Float64Array(count);
  number({ rows, count, numbers, at: 0, limit: Infinity });
  let valued = 0;
  for (let row = 0; row < count; row++) if (numbers[row] !== Infinity) valued++;
  return { rows: Uint16Array.from(sortByNumbers(rows, numbers).refs), valued };
}

/** The row at a position of the order, or of the descending one; rows without a value come last in both. */
export function rowInOrder({ rows, valued }: NumberOrder, position: number, descending: boolean): number {
  return rows[descending && position < valued ? valued - 1 - position : position] as number;
}
