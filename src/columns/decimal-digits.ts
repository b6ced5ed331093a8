import type { DecimalColumn } from './decimal-columns.ts';
import { marked } from './decimal-columns.ts';

/** Digits taken at once: 10^7 times 2^24 stays far below 2^53. */
const digitsAtOnce = 7;
const powers = Array.from({ length: digitsAtOnce + 1 }, (_, power) => 10 ** power);
/** The most digits that surely fit 127 bits. */
const mostDigits = 38;
/** A magnitude in pieces of 24 bits, lowest first. */
const pieces = new Float64Array(6);
const pieceBase = 2 ** 24;
let used = 0;
const words = new Uint32Array(4);

/**
 * Writes a plain decimal text with no more decimals than the column into the limbs of a row, without a BigInt. False, with nothing written,
 * when it is not sure to fit.
 */
export function writeDigits({ scale, low, top }: DecimalColumn, row: number, text: string): boolean {
  if (!top || !readPieces(text, scale)) return false;
  words[0] = (pieces[0] as number) | ((pieces[1] as number) << 24);
  words[1] = ((pieces[1] as number) >>> 8) | ((pieces[2] as number) << 16);
  words[2] = ((pieces[2] as number) >>> 16) | ((pieces[3] as number) << 8);
  words[3] = (pieces[4] as number) | ((pieces[5] as number) << 24);
  if (text.charCodeAt(0) === 45) negate();
  const head = (words[low.length] as number) | 0;
  for (let limb = low.length + 1; limb < 4; limb++) if (((words[limb] as number) | 0) !== head >> 31) return false;
  if (head === marked) return false;
  top[row] = head;
  for (let limb = 0; limb < low.length; limb++) (low[limb] as Uint32Array)[row] = words[limb] as number;
  return true;
}

/** Reads the digits of a text, and zeros up to `scale` decimals, into `pieces`. False for too many. */
function readPieces(text: string, scale: number): boolean {
  pieces.fill(0);
  used = 0;
  const start = text.charCodeAt(0) === 45 ? 1 : 0;
  const point = text.indexOf('.');
  const wholeEnd = point < 0 ? text.length : point;
  const digits = wholeEnd - start + scale;
  if (digits > mostDigits) return false;
  let chunk = 0;
  let held = 0;
  for (let digit = 0; digit < digits; digit++) {
    // the point is passed over, and where the text ends there are zeros
    const at = start + digit < wholeEnd ? start + digit : start + digit + 1;
    chunk = chunk * 10 + (at < text.length ? text.charCodeAt(at) - 48 : 0);
    if (++held === digitsAtOnce) {
      multiplyAdd(powers[held] as number, chunk);
      chunk = held = 0;
    }
  }
  multiplyAdd(powers[held] as number, chunk);
  return true;
}

function multiplyAdd(factor: number, addend: number): void {
  let carry = addend;
  for (let i = 0; i < used || carry > 0; i++) {
    const sum = (pieces[i] as number) * factor + carry;
    carry = Math.floor(sum / pieceBase);
    pieces[i] = sum - carry * pieceBase;
    if (i >= used) used = i + 1;
  }
}

function negate(): void {
  let carry = 1;
  for (let i = 0; i < 4; i++) {
    const sum = (~(words[i] as number) >>> 0) + carry;
    words[i] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
}
