/** A bitmap over the rows of a chunk: bit `row & 31` of word `row >>> 5`. Bits past the last row are always zero. */
export type Bits = Uint32Array;

/** How many 32-bit words hold one bit for each of `rows` rows. */
export function wordsFor(rows: number): number {
  return (rows + 31) >>> 5;
}

/** A bitmap with the first `rows` bits set. */
export function allSet(rows: number): Bits {
  const bits = new Uint32Array(wordsFor(rows)).fill(0xffffffff);
  if (rows & 31) bits[bits.length - 1] = 0xffffffff >>> (32 - (rows & 31));
  return bits;
}

/** How many bits of one 32-bit word are set. */
export function popcount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits are set in the words `fromWord` (included) to `toWord` (excluded). */
export function countBits(bits: Bits, fromWord = 0, toWord = bits.length): number {
  let count = 0;
  for (let w = fromWord; w < toWord; w++) if (bits[w] !== 0) count += popcount(bits[w] as number);
  return count;
}

/** How many bits are set before `row`. */
export function countBelow(bits: Bits, row: number): number {
  const word = row >>> 5;
  const below = row & 31;
  return countBits(bits, 0, word) + (below ? popcount((bits[word] as number) & (0xffffffff >>> (32 - below))) : 0);
}

/** Whether the bit of `row` is set; false for a row past the bitmap. */
export function hasBit(bits: Bits, row: number): boolean {
  return (((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

/** Sets the bit of `row`. */
export function setBit(bits: Bits, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
}

/** Clears every bit outside the rows `from` (included) to `to` (excluded). */
export function clip(bits: Bits, from: number, to: number): void {
  if (from >= to) {
    bits.fill(0);
    return;
  }
  const first = from >>> 5;
  bits.fill(0, 0, first);
  if (from & 31) bits[first] = (bits[first] as number) & (0xffffffff << (from & 31));
  const last = to >>> 5;
  if (last >= bits.length) return;
  bits[last] = to & 31 ? (bits[last] as number) & (0xffffffff >>> (32 - (to & 31))) : 0;
  bits.fill(0, last + 1);
}

/** Clears in `bits` every bit that is set in `other` (which may be longer). */
export function subtract(bits: Bits, other: Bits): void {
  for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] as number) & ~(other[w] as number);
}

/** Sets in `bits` every bit that is set in `other`. */
export function unite(bits: Bits, other: Bits): void {
  for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] as number) | (other[w] as number);
}

/** Clears in `bits` every bit that is not set in `other`. */
export function intersect(bits: Bits, other: Bits): void {
  for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] as number) & (other[w] as number);
}

/** Whether no bit is set. */
export function isEmpty(bits: Bits): boolean {
  for (let w = 0; w < bits.length; w++) if (bits[w] !== 0) return false;
  return true;
}

/**
 * Writes the rows whose bits are set in the words `fromWord` to `toWord` (excluded) into `into`, ascending.
 * @returns how many rows were written.
 */
export function listRows(bits: Bits, into: Uint32Array, fromWord = 0, toWord = bits.length): number {
  let count = 0;
  for (let w = fromWord; w < toWord; w++) {
    let word = bits[w] as number;
    const base = w << 5;
    if (word === 0xffffffff) {
      for (let b = 0; b < 32; b++) into[count++] = base + b;
      continue;
    }
    while (word !== 0) {
      into[count++] = base + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return count;
}
