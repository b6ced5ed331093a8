import { type DecimalColumn, limbBase, marked, readDecimal, readWhole, safe } from './decimal-columns.ts';
import { type BigDecimal, floorTo, powersOfTen } from './decimals.ts';
import { pickCodes } from './pick.ts';
import { type CodeColumn, nullText, type TextColumn } from './segments.ts';
import type { TimeColumn } from './times.ts';

/**
 * Where a sort's numbers go: the i-th of `count` listed rows of a chunk gets `numbers[at + i]`. A smaller number comes first; a null gets
 * Infinity, so that it comes last whatever the direction.
 */
export type Numbering = {
  readonly rows: Uint32Array;
  readonly count: number;
  readonly numbers: Float64Array;
  readonly at: number;
  /** A row whose number is above this may get Infinity instead: nobody will ask. */
  readonly limit: number;
};

const picked = new Uint32Array(65_536);

/** Numbers of values that a table ranks (codes, smalls, flags): `ranks[value]`, Infinity for a null. They are exact. */
export function rankNumbers(values: CodeColumn, ranks: Float64Array, { rows, count, numbers, at }: Numbering): void {
  pickCodes(values, rows, count, picked);
  for (let i = 0; i < count; i++) numbers[at + i] = ranks[picked[i] as number] as number;
}

/** Numbers of times. They are exact. */
export function timeNumbers({ base, unit, at: times }: TimeColumn, sign: number, { rows, count, numbers, at }: Numbering): void {
  for (let i = 0; i < count; i++) numbers[at + i] = sign * (base + unit * (times[rows[i] as number] as number));
}

/** Numbers of the first 53 bits of the row keys: ties have to be settled. */
export function keyNumbers(keys: Uint32Array, sign: number, { rows, count, numbers, at }: Numbering): void {
  for (let i = 0; i < count; i++) {
    const word = (rows[i] as number) * 4;
    numbers[at + i] = sign * ((keys[word] as number) * 2 ** 21 + ((keys[word + 1] as number) >>> 11));
  }
}

/**
 * Numbers of decimals: the value times 10^scale, rounded down to a whole number and that to the nearest float, for a scale not below the
 * column's. Two columns agree on them, and they are exact below 2^53 but for values in a side map; other ties have to be settled.
 */
export function decimalNumbers(column: DecimalColumn, scale: number, sign: number, numbering: Numbering): void {
  const { low, top, side } = column;
  const by = scale - column.scale;
  if (!top) numbering.numbers.fill(Infinity, numbering.at, numbering.at + numbering.count);
  else if (low.length === 0) oneLimb(top, sign * (powersOfTen[by] as number), numbering);
  else if (low.length === 1) twoLimbs(column, low[0] as Uint32Array, top, by, sign, numbering);
  else moreLimbs(column, low, top, by, sign, numbering);
  if (side.size > 0) sideNumbers(column, scale, sign, numbering);
}

function oneLimb(top: Int32Array, factor: number, { rows, count, numbers, at }: Numbering): void {
  for (let i = 0; i < count; i++) {
    const head = top[rows[i] as number] as number;
    numbers[at + i] = head === marked ? Infinity : head * factor;
  }
}

function twoLimbs(column: DecimalColumn, low: Uint32Array, top: Int32Array, by: number, sign: number, numbering: Numbering): void {
  const { rows, count, numbers, at, limit } = numbering;
  const factor = sign * (powersOfTen[by] as number);
  // the lower limb adds less than one to the upper: most rows above the limit are told by that alone, and half the memory is left alone
  const spare = sign < 0 ? 1 : 0;
  const unit = limbBase * factor;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const head = top[row] as number;
    if (head === marked || (head + spare) * unit > limit) {
      numbers[at + i] = Infinity;
      continue;
    }
    const whole = head * limbBase + (low[row] as number);
    // one rounding is right, two might not be
    if (by > 0 && (whole >= safe || whole <= -safe)) numbers[at + i] = sign * roundedWhole(column, row, by);
    else numbers[at + i] = whole * factor;
  }
}

function moreLimbs(
  column: DecimalColumn,
  low: readonly Uint32Array[],
  top: Int32Array,
  by: number,
  sign: number,
  numbering: Numbering,
): void {
  const { rows, count, numbers, at } = numbering;
  const first = low[0] as Uint32Array;
  const second = low[1] as Uint32Array;
  const isThree = low.length === 2;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const head = top[row] as number;
    // in three limbs the upper two hold 53 bits exactly, and the last addition rounds once
    const upper = head * limbBase + (second[row] as number);
    if (head === marked) numbers[at + i] = Infinity;
    else if (isThree && by === 0 && upper < safe && upper > -safe) numbers[at + i] = sign * (upper * limbBase + (first[row] as number));
    else numbers[at + i] = sign * roundedWhole(column, row, by);
  }
}

function roundedWhole(column: DecimalColumn, row: number, by: number): number {
  return Number(readWhole(column, row) * 10n ** BigInt(by));
}

function sideNumbers(column: DecimalColumn, scale: number, sign: number, { rows, count, numbers, at }: Numbering): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (numbers[at + i] !== Infinity || !column.side.has(row)) continue;
    numbers[at + i] = sign * finite(Number(floorTo(scale, readDecimal(column, row) as BigDecimal)));
  }
}

/** A number that is not Infinity, which stands for null. */
function finite(number: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
}

/** How many bytes of a text one number holds. */
const textBytes = 6;

/** Numbers of the six bytes of texts after the first `depth` times six: ties have to be settled. */
export function textNumbers({ offsets, bytes }: TextColumn, depth: number, sign: number, { rows, count, numbers, at }: Numbering): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    const start = from + depth * textBytes;
    if (to > from && bytes[from] === nullText) numbers[at + i] = Infinity;
    else {
      let number = 0;
      for (let byte = start; byte < start + textBytes; byte++) number = number * 256 + (byte < to ? (bytes[byte] as number) : 0);
      numbers[at + i] = sign * number;
    }
  }
}
