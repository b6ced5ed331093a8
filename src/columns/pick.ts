import type { CodeColumn } from './segments.ts';

/** The rows 0 to 65,535, for whoever wants all rows of a segment as a list. */
export const everyRow = Uint32Array.from({ length: 65_536 }, (_, row) => row);

/** Writes the codes of `count` listed rows into `into`. */
export function pickCodes(codes: CodeColumn, rows: Uint32Array, count: number, into: Uint32Array): void {
  if (codes instanceof Uint8Array) pickBytes(codes, rows, count, into);
  else if (codes instanceof Uint16Array) pickShorts(codes, rows, count, into);
  else pickWords(codes, rows, count, into);
}

// The three loops are the same on purpose: one loop over all array types would be compiled well for none.
function pickBytes(codes: Uint8Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let i = 0; i < count; i++) into[i] = codes[rows[i] as number] as number;
}

function pickShorts(codes: Uint16Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let i = 0; i < count; i++) into[i] = codes[rows[i] as number] as number;
}

function pickWords(codes: Uint32Array, rows: Uint32Array, count: number, into: Uint32Array): void {
  for (let i = 0; i < count; i++) into[i] = codes[rows[i] as number] as number;
}
