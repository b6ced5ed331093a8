import { hasBit, setBit, type Bits } from './bits.ts';
import type { TextColumn } from './segments.ts';

/** Which bytes stand next to one another anywhere in a column of texts: the bit `first + 256 * second` of each pair. */
export type TextPairs = Bits;

/** The pairs of a column; those of the last byte of a text and the first of the next are among them, and one with a zero of the last byte. */
export function pairsOfTexts({ bytes }: TextColumn): TextPairs {
  const pairs = new Uint32Array(2048);
  if (bytes.length > 0) setBit(pairs, bytes[bytes.length - 1] as number);
  for (let at = 1; at < bytes.length; at++) {
    setBit(pairs, (bytes[at - 1] as number) | ((bytes[at] as number) << 8));
  }
  return pairs;
}

/** Whether every pair of some bytes, or the only one, is among those of a column: if not, no text of it contains them. */
export function mayContain(pairs: TextPairs, bytes: Uint8Array): boolean {
  if (bytes.length === 1) return hasByte(pairs, bytes[0] as number);
  for (let at = 1; at < bytes.length; at++) {
    if (!hasBit(pairs, (bytes[at - 1] as number) | ((bytes[at] as number) << 8))) return false;
  }
  return true;
}

function hasByte(pairs: TextPairs, byte: number): boolean {
  for (let other = 0; other < 256; other++) if (hasBit(pairs, byte | (other << 8)) || hasBit(pairs, other | (byte << 8))) return true;
  return false;
}
