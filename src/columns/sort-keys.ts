import { type BigDecimal, type DecimalColumn, floorToLimbs, limbsOf, marked, readDecimal, sideMark } from './decimals.ts';
import type { SortKeys } from './radix.ts';
import { nullText, type TextColumn } from './segments.ts';

/** The column of each slot of a view, and each slot's base (see `bySlot`). */
export type Slots<T> = { readonly columns: readonly T[]; readonly bases: Uint32Array };

/** The word that both halves of a null's key have: nulls come last whatever the direction. */
const last = 0xffffffff;

/** Keys of values that a table ranks (codes, smalls, flags): `ranks[value]`, where `last` stands for null. */
export function rankKeys(refs: Uint32Array, slots: Slots<ArrayLike<number>>, ranks: Uint32Array, flip: number): SortKeys {
  const keys = allocate(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as number;
    const slot = ref >>> 16;
    const values = slots.columns[slot] as ArrayLike<number>;
    const rank = ranks[values[ref - (slots.bases[slot] as number)] as number] as number;
    keys.low[i] = rank === last ? last : rank ^ flip;
    if (rank === last) keys.high[i] = last;
  }
  return keys;
}

/** Keys of times. They are exact. */
export function timeKeys(refs: Uint32Array, slots: Slots<Float64Array>, flip: number): SortKeys {
  const keys = allocate(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as number;
    const slot = ref >>> 16;
    writeFloat(keys, i, (slots.columns[slot] as Float64Array)[ref - (slots.bases[slot] as number)] as number, flip);
  }
  return keys;
}

/** Keys of the first 64 bits of the row keys: ties have to be settled. */
export function keyKeys(refs: Uint32Array, slots: Slots<Uint32Array>, flip: number): SortKeys {
  const keys = allocate(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as number;
    const slot = ref >>> 16;
    const words = slots.columns[slot] as Uint32Array;
    const at = (ref - (slots.bases[slot] as number)) * 4;
    keys.high[i] = (words[at] as number) ^ flip;
    keys.low[i] = (words[at + 1] as number) ^ flip;
  }
  return keys;
}

/** Keys of decimals, rounded to a Float64 that never turns their order round: ties have to be settled. */
export function decimalKeys(refs: Uint32Array, slots: Slots<DecimalColumn>, flip: number): SortKeys {
  const keys = allocate(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as number;
    const slot = ref >>> 16;
    const column = slots.columns[slot] as DecimalColumn;
    const row = ref - (slots.bases[slot] as number);
    const d0 = column.d0[row] as number;
    const d3 = column.d3[row] as number;
    if (d3 !== marked) writeFloat(keys, i, floatOf(d0, column.d1[row] as number, column.d2[row] as number, d3), flip);
    else if (d0 === sideMark) writeFloat(keys, i, floatOfSide(readDecimal(column, row) as BigDecimal), flip);
    else keys.high[i] = keys.low[i] = last;
  }
  return keys;
}

/** Keys of the eight bytes of texts after the first `skip`: ties have to be settled. */
export function textKeys(refs: Uint32Array, slots: Slots<TextColumn>, flip: number, skip: number): SortKeys {
  const keys = allocate(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as number;
    const slot = ref >>> 16;
    const { offsets, bytes } = slots.columns[slot] as TextColumn;
    const row = ref - (slots.bases[slot] as number);
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    if (to > from && bytes[from] === nullText) {
      keys.high[i] = keys.low[i] = last;
    } else {
      keys.high[i] = word(bytes, from + skip, to) ^ flip;
      keys.low[i] = word(bytes, from + skip + 4, to) ^ flip;
    }
  }
  return keys;
}

function allocate(rows: number): SortKeys {
  return { high: new Uint32Array(rows), low: new Uint32Array(rows) };
}

function word(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < from + 4; at++) value = (value << 8) | (at < to ? (bytes[at] as number) : 0);
  return value;
}

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/** Writes a float as an unsigned number with the same order. */
function writeFloat(keys: SortKeys, i: number, value: number, flip: number): void {
  float[0] = value;
  const high = halves[1] as number;
  const negative = high >>> 31 === 1;
  keys.high[i] = (negative ? ~high : high ^ 0x80000000) ^ flip;
  keys.low[i] = (negative ? ~(halves[0] as number) : (halves[0] as number)) ^ flip;
}

// From the highest limb to the lowest every rounding is monotone, as long as nothing is taken away: so by magnitude, then the sign.
function floatOf(d0: number, d1: number, d2: number, d3: number): number {
  if (d3 >= 0) return d3 * 2 ** 96 + d2 * 2 ** 64 + d1 * 2 ** 32 + d0;
  return -(~d3 * 2 ** 96 + (~d2 >>> 0) * 2 ** 64 + (~d1 >>> 0) * 2 ** 32 + (~d0 >>> 0));
}

// Rounded toward minus infinity to the scale of the limbs, and then in the same way as a value in the limbs.
function floatOfSide(value: BigDecimal): number {
  const whole = floorToLimbs(value);
  if (whole < -(1n << 127n) || whole >= 1n << 127n) return Number(whole);
  return floatOf(...limbsOf(whole));
}
