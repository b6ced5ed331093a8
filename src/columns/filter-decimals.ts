import type { Bits } from './bits.ts';
import { type DecimalColumn, limbBase, marked, readWhole, safe } from './decimal-columns.ts';
import { type BigDecimal, ceilTo, compareDecimals, floorTo, parseDecimal } from './decimals.ts';
import { type Filter, keepWhere } from './filters.ts';

/** The bounds of a condition on a decimal column, as texts. */
export type Bounds = {
  readonly column: string;
  readonly atLeast?: string;
  readonly atMost?: string;
  readonly above?: string;
  readonly below?: string;
};

/** The bounds read, and as whole numbers of 10^-scale, both included, for each scale that was asked for. */
type Read = { readonly holds: (value: BigDecimal) => boolean; readonly at: (scale: number) => Range };
/** `nearFrom` and `nearTo` are the floats nearest to the bounds: below 2^53 the bounds themselves. */
type Range = { readonly from: bigint; readonly to: bigint; readonly nearFrom: number; readonly nearTo: number };

/** Keeps the rows with a value within all the bounds given. Throws a RangeError for a malformed bound. */
export function keepBounded(bounds: Bounds): Filter {
  const read = readBounds(bounds);
  return {
    cost: 4,
    keep: (chunk, bits) => {
      const decimals = chunk.hot.decimals[bounds.column];
      if (decimals) keepWithin(bits, decimals, read.at(decimals.scale), read.holds);
    },
  };
}

function readBounds({ column, atLeast, atMost, above, below }: Bounds): Read {
  const parse = (text: string | undefined) => (text === undefined ? null : parseDecimal(text, column));
  const [least, most, over, under] = [parse(atLeast), parse(atMost), parse(above), parse(below)];
  const at = (scale: number): Range => {
    let from = -(1n << 128n);
    let to = 1n << 128n;
    if (least) from = larger(from, ceilTo(scale, least));
    if (over) from = larger(from, floorTo(scale, over) + 1n);
    if (most) to = smaller(to, floorTo(scale, most));
    if (under) to = smaller(to, ceilTo(scale, under) - 1n);
    return { from, to, nearFrom: Number(from), nearTo: Number(to) };
  };
  const ranges = new Map<number, Range>();
  return {
    holds: (value) =>
      (!least || compareDecimals(value, least) >= 0) &&
      (!most || compareDecimals(value, most) <= 0) &&
      (!over || compareDecimals(value, over) > 0) &&
      (!under || compareDecimals(value, under) < 0),
    at: (scale) => {
      const range = ranges.get(scale) ?? at(scale);
      ranges.set(scale, range);
      return range;
    },
  };
}

function keepWithin(bits: Bits, column: DecimalColumn, range: Range, holds: (value: BigDecimal) => boolean): void {
  const { top, low, side } = column;
  const sides = side.size > 0 ? sideRows(column, holds) : null;
  if (!top) keepWhere(bits, (row) => sides?.has(row) === true);
  else if (low.length === 0) keepOneLimb(bits, top, range, sides);
  else if (low.length === 1) keepTwoLimbs(bits, column, top, range, sides);
  else {
    keepWhere(bits, (row) => {
      if (top[row] === marked) return sides?.has(row) === true;
      const near = ((top[row] as number) * limbBase + (low.at(-1)?.[row] as number)) * limbBase ** (low.length - 1);
      return isWithin(near, 2 ** 33 * limbBase ** (low.length - 2), range, () => readWhole(column, row));
    });
  }
}

function sideRows({ side }: DecimalColumn, holds: (value: BigDecimal) => boolean): ReadonlySet<number> {
  return new Set([...side].filter(([, value]) => holds(value)).map(([row]) => row));
}

/** Whether a number that is `near`, give or take `slack` and some rounding, lies in the range: the whole is read only near a bound. */
function isWithin(near: number, slack: number, { from, to, nearFrom, nearTo }: Range, read: () => bigint): boolean {
  const margin = slack + Math.abs(near) * 2 ** -50;
  if (near + margin < nearFrom || near - margin > nearTo) return false;
  if (near - margin > nearFrom && near + margin < nearTo) return true;
  const whole = read();
  return whole >= from && whole <= to;
}

function keepOneLimb(bits: Bits, top: Int32Array, { nearFrom, nearTo }: Range, sides: ReadonlySet<number> | null): void {
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    let kept = 0;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const b = 31 - Math.clz32(rest & -rest);
      const head = top[(w << 5) + b] as number;
      // counted, not branched on: which way it goes is anybody's guess
      kept |= (Number(head >= nearFrom) & Number(head <= nearTo) & Number(head !== marked)) << b;
    }
    bits[w] = sides ? withSides(kept, word, w << 5, sides) : kept;
  }
}

function keepTwoLimbs(bits: Bits, column: DecimalColumn, top: Int32Array, range: Range, sides: ReadonlySet<number> | null): void {
  const low = column.low[0] as Uint32Array;
  const { nearFrom, nearTo } = range;
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    let kept = 0;
    let unsure = 0;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const b = 31 - Math.clz32(rest & -rest);
      const head = top[(w << 5) + b] as number;
      const whole = head * limbBase + (low[(w << 5) + b] as number);
      kept |= (Number(whole >= nearFrom) & Number(whole <= nearTo) & Number(head !== marked)) << b;
      if (whole >= safe || whole <= -safe) unsure |= 1 << b;
    }
    for (let rest = unsure; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const row = (w << 5) + 31 - Math.clz32(bit);
      const isIn = top[row] !== marked && isWithin(wholeNear(column, row), 0, range, () => readWhole(column, row));
      kept = isIn ? kept | bit : kept & ~bit;
    }
    bits[w] = sides ? withSides(kept, word, w << 5, sides) : kept;
  }
}

function wholeNear({ low, top }: DecimalColumn, row: number): number {
  return (top?.[row] as number) * limbBase + (low[0]?.[row] as number);
}

/** Adds those of a word's rows whose values lie in the side map and in the bounds. */
function withSides(kept: number, word: number, base: number, sides: ReadonlySet<number>): number {
  let all = kept;
  for (let rest = word & ~kept; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    if (sides.has(base + 31 - Math.clz32(bit))) all |= bit;
  }
  return all;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
