import { type Bits, clearBit, countBits, intersect, setBit } from './bits.ts';
import type { Chunk } from './chunks.ts';
import { type Filter, keepWhere } from './filters.ts';
import { nullText, type TextColumn } from './segments.ts';
import { TextSet } from './text-set.ts';
import { findBytes, jumpsOf, utf8Of } from './utf8.ts';

/** Keeps the rows whose text contains another, whatever the case of either. A chunk without rows left needs no text. */
export function keepContaining(column: string, contains: string): Filter {
  const needle = utf8Of(contains.toLowerCase());
  const jumps = jumpsOf(needle);
  return {
    cost: 6,
    keep: (chunk, bits) => {
      const count = countBits(bits);
      if (count === 0) return;
      const texts = textsOf(chunk, column);
      if (needle.length === 0) keepAnyText(bits, texts);
      else if (count * 8 < chunk.rows) searchEach(bits, texts, needle, jumps);
      else searchAll(bits, texts, chunk.rows, needle, jumps);
    },
  };
}

/** Keeps the rows whose text is one of some others, whatever the case of either. */
export function keepOneOf(column: string, texts: readonly string[]): Filter {
  const { set } = TextSet.of(texts);
  return {
    cost: 5,
    keep: (chunk, bits) => {
      const { offsets, bytes } = textsOf(chunk, column);
      keepWhere(bits, (row) => set.find(bytes, offsets[row] as number, offsets[row + 1] as number) >= 0);
    },
  };
}

function textsOf(chunk: Chunk, column: string): TextColumn {
  const texts = chunk.texts?.[column];
  if (!texts) throw new RangeError(`The text of column "${column}" is not loaded`);
  return texts;
}

function keepAnyText(bits: Bits, { offsets, bytes }: TextColumn): void {
  forEachRow(bits, (row) => {
    const from = offsets[row] as number;
    if (offsets[row + 1] === from + 1 && bytes[from] === nullText) clearBit(bits, row);
  });
}

function searchEach(bits: Bits, { offsets, bytes }: TextColumn, needle: Uint8Array, jumps: Uint32Array): void {
  forEachRow(bits, (row) => {
    if (findBytes(bytes, offsets[row] as number, offsets[row + 1] as number, needle, jumps) < 0) clearBit(bits, row);
  });
}

// Searches all bytes as one text, which jumps over short rows; a find that crosses two rows is none.
function searchAll(bits: Bits, { offsets, bytes }: TextColumn, rows: number, needle: Uint8Array, jumps: Uint32Array): void {
  const held = new Uint32Array(bits.length);
  const end = offsets[rows] as number;
  let row = 0;
  let at = findBytes(bytes, 0, end, needle, jumps);
  while (at >= 0) {
    while ((offsets[row + 1] as number) <= at) row++;
    const next = offsets[row + 1] as number;
    const inside = at + needle.length <= next;
    if (inside) setBit(held, row);
    at = findBytes(bytes, inside ? next : at + 1, end, needle, jumps);
  }
  intersect(bits, held);
}

function forEachRow(bits: Bits, visit: (row: number) => void): void {
  for (let w = 0; w < bits.length; w++) {
    for (let rest = bits[w] as number; rest !== 0; rest &= rest - 1) visit((w << 5) + 31 - Math.clz32(rest & -rest));
  }
}
