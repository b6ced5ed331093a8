import { type Bits, popcount } from './bits.ts';

/** Under this many set bits a word is walked bit by bit; else all its 32 rows are tested without a branch. */
const sparse = 12;

/** Keeps the rows whose value (a code, a small or a byte of flags) has a 1 in `table`. */
export function keepByTable(bits: Bits, rows: number, values: Uint32Array | Uint8Array, table: Uint8Array): void {
  if (values instanceof Uint8Array) keepBytes(bits, rows, values, table);
  else keepWords(bits, rows, values, table);
}

// The two loops are the same on purpose: one loop over both array types would be compiled for neither.
function keepWords(bits: Bits, rows: number, values: Uint32Array, table: Uint8Array): void {
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    if (word === 0) continue;
    const base = w << 5;
    let kept = 0;
    if (popcount(word) < sparse || base + 32 > rows) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const b = 31 - Math.clz32(rest & -rest);
        kept |= (table[values[base + b] as number] as number) << b;
      }
    } else {
      for (let b = 0; b < 32; b += 4) {
        const at = base + b;
        const four =
          (table[values[at] as number] as number) |
          ((table[values[at + 1] as number] as number) << 1) |
          ((table[values[at + 2] as number] as number) << 2) |
          ((table[values[at + 3] as number] as number) << 3);
        kept |= four << b;
      }
    }
    bits[w] = word & kept;
  }
}

function keepBytes(bits: Bits, rows: number, values: Uint8Array, table: Uint8Array): void {
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    if (word === 0) continue;
    const base = w << 5;
    let kept = 0;
    if (popcount(word) < sparse || base + 32 > rows) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const b = 31 - Math.clz32(rest & -rest);
        kept |= (table[values[base + b] as number] as number) << b;
      }
    } else {
      for (let b = 0; b < 32; b += 4) {
        const at = base + b;
        const four =
          (table[values[at] as number] as number) |
          ((table[values[at + 1] as number] as number) << 1) |
          ((table[values[at + 2] as number] as number) << 2) |
          ((table[values[at + 3] as number] as number) << 3);
        kept |= four << b;
      }
    }
    bits[w] = word & kept;
  }
}
