import { type Bits, intersect, setBit } from './bits.ts';
import type { TextColumn } from './segments.ts';

/** A text of at least two bytes to search for; `jumps` says by the last two bytes of a window how far to go on, 0 where they are its own. */
export type Needle = { readonly bytes: Uint8Array; readonly jumps: Uint8Array; readonly again: number };

/** Makes a needle of some bytes (Horspool's table, by pairs). Null for fewer than two. */
export function needleOf(bytes: Uint8Array): Needle | null {
  const last = bytes.length - 1;
  if (last < 1) return null;
  const jumps = new Uint8Array(65_536).fill(Math.min(255, last));
  const pairAt = (i: number) => (bytes[i - 1] as number) | ((bytes[i] as number) << 8);
  for (let i = Math.max(1, last - 254); i < last; i++) jumps[pairAt(i)] = last - i;
  const again = jumps[pairAt(last)] as number;
  jumps[pairAt(last)] = 0;
  return { bytes, jumps, again };
}

/** The four parts that are searched at once, so that one need not wait for the memory of another. */
const parts = [0, 1, 2, 3] as const;

/** Clears the bits of the rows whose text does not contain the needle: all rows are searched as one text, and a find across two is none. */
export function searchAll(bits: Bits, { offsets, bytes }: TextColumn, rows: number, needle: Needle): void {
  const held = new Uint32Array(bits.length);
  const length = needle.bytes.length;
  const starts = [...parts, 4].map((part) => Math.floor((rows * part) / 4));
  const rowOf = starts.slice(0, 4);
  // What a find in a part means, and where its last byte may be next.
  const found = (part: number, at: number): number => {
    let row = rowOf[part] as number;
    while ((offsets[row + 1] as number) <= at) row++;
    rowOf[part] = row;
    const next = offsets[row + 1] as number;
    const isInside = at + length <= next;
    if (isInside) setBit(held, row);
    return (isInside ? next : at + 1) + length - 1;
  };
  const bounds = starts.map((row) => offsets[row] as number);
  const ends = searchTogether(bytes, bounds, needle, found);
  for (const part of parts) searchRest(bytes, ends[part] as number, bounds[part + 1] as number, needle, (at) => found(part, at));
  intersect(bits, held);
}

/** Searches the four parts side by side until one of them is near its end. @returns where the search goes on in each. */
function searchTogether(hay: Uint8Array, bounds: readonly number[], needle: Needle, found: (part: number, at: number) => number): number[] {
  const { jumps, bytes } = needle;
  const last = bytes.length - 1;
  const [from0, from1, from2, from3] = bounds as [number, number, number, number];
  let [e0, e1, e2, e3] = [from0 + last, from1 + last, from2 + last, from3 + last];
  // three jumps must stay inside
  const [n0, n1, n2, n3] = parts.map((part) => (bounds[part + 1] as number) - 3 * last - 1) as [number, number, number, number];
  const settle = (part: number, end: number) => (matches(hay, end, bytes) ? found(part, end - last) : end + needle.again);
  while (e0 < n0 && e1 < n1 && e2 < n2 && e3 < n3) {
    for (let turn = 0; turn < 2; turn++) {
      e0 += jumps[(hay[e0 - 1] as number) | ((hay[e0] as number) << 8)] as number;
      e1 += jumps[(hay[e1 - 1] as number) | ((hay[e1] as number) << 8)] as number;
      e2 += jumps[(hay[e2 - 1] as number) | ((hay[e2] as number) << 8)] as number;
      e3 += jumps[(hay[e3 - 1] as number) | ((hay[e3] as number) << 8)] as number;
    }
    const j0 = jumps[(hay[e0 - 1] as number) | ((hay[e0] as number) << 8)] as number;
    const j1 = jumps[(hay[e1 - 1] as number) | ((hay[e1] as number) << 8)] as number;
    const j2 = jumps[(hay[e2 - 1] as number) | ((hay[e2] as number) << 8)] as number;
    const j3 = jumps[(hay[e3 - 1] as number) | ((hay[e3] as number) << 8)] as number;
    e0 = j0 === 0 ? settle(0, e0) : e0 + j0;
    e1 = j1 === 0 ? settle(1, e1) : e1 + j1;
    e2 = j2 === 0 ? settle(2, e2) : e2 + j2;
    e3 = j3 === 0 ? settle(3, e3) : e3 + j3;
  }
  return [e0, e1, e2, e3];
}

function searchRest(hay: Uint8Array, from: number, to: number, needle: Needle, found: (at: number) => number): void {
  for (let end = from; end < to; ) {
    const at = findEnd(hay, end, to, needle);
    if (at < 0) return;
    end = found(at - needle.bytes.length + 1);
  }
}

/** Whether a text that lies at `from` to `to` contains the needle. */
export function contains(hay: Uint8Array, from: number, to: number, needle: Needle): boolean {
  return findEnd(hay, from + needle.bytes.length - 1, to, needle) >= 0;
}

/** The last byte of the first match that ends at `from` or later and before `to`, or -1. */
function findEnd(hay: Uint8Array, from: number, to: number, { bytes, jumps, again }: Needle): number {
  let end = from;
  while (end < to) {
    const jump = jumps[(hay[end - 1] as number) | ((hay[end] as number) << 8)] as number;
    if (jump !== 0) end += jump;
    else if (matches(hay, end, bytes)) return end;
    else end += again;
  }
  return -1;
}

/** Whether a text ends at a place; its last two bytes are known to be there. */
function matches(hay: Uint8Array, end: number, bytes: Uint8Array): boolean {
  let i = bytes.length - 3;
  const start = end - bytes.length + 1;
  while (i >= 0 && hay[start + i] === bytes[i]) i--;
  return i < 0;
}
