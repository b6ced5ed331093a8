import type { Bits } from './bits.ts';
import {
  type BigDecimal,
  compareDecimals,
  type DecimalColumn,
  floorToLimbs,
  largestInLimbs,
  limbsOf,
  marked,
  parseDecimal,
  readDecimal,
  sideMark,
} from './decimals.ts';
import type { Filter } from './filters.ts';

/** The bounds of a condition on a decimal column, as texts. */
export type Bounds = {
  readonly column: string;
  readonly atLeast?: string;
  readonly atMost?: string;
  readonly above?: string;
  readonly below?: string;
};

/** Keeps the rows with a value within all the bounds given. Throws a RangeError for a malformed bound. */
export function keepBounded({ column, atLeast, atMost, above, below }: Bounds): Filter {
  const parse = (text: string | undefined) => (text === undefined ? null : parseDecimal(text, column));
  const [least, most, over, under] = [parse(atLeast), parse(atMost), parse(above), parse(below)];
  const inSide = (value: BigDecimal) =>
    (!least || compareDecimals(value, least) >= 0) &&
    (!most || compareDecimals(value, most) <= 0) &&
    (!over || compareDecimals(value, over) > 0) &&
    (!under || compareDecimals(value, under) < 0);
  // The same bounds as whole numbers of 10^-18, both included, no wider than the limbs.
  let from = -largestInLimbs;
  let to = largestInLimbs;
  if (least) from = larger(from, ceilToLimbs(least));
  if (over) from = larger(from, floorToLimbs(over) + 1n);
  if (most) to = smaller(to, floorToLimbs(most));
  if (under) to = smaller(to, ceilToLimbs(under) - 1n);
  const outside = from > to;
  const low = limbsOf(outside ? largestInLimbs : from);
  const high = limbsOf(outside ? -largestInLimbs : to);
  return {
    cost: 3,
    keep: (chunk, bits) => {
      const decimals = chunk.hot.decimals[column];
      if (decimals) keepWithin(bits, decimals, low, high, inSide);
    },
  };
}

type Limbs = readonly [number, number, number, number];

function keepWithin(bits: Bits, column: DecimalColumn, low: Limbs, high: Limbs, inSide: (value: BigDecimal) => boolean): void {
  const { d0, d1, d2, d3 } = column;
  const [low0, low1, low2, low3] = low;
  const [high0, high1, high2, high3] = high;
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w] as number;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const row = (w << 5) + 31 - Math.clz32(bit);
      const v3 = d3[row] as number;
      const v2 = d2[row] as number;
      const v1 = d1[row] as number;
      const v0 = d0[row] as number;
      if (v3 === marked) {
        const value = v0 === sideMark ? readDecimal(column, row) : null;
        if (!value || !inSide(value)) word &= ~bit;
        continue;
      }
      const under = v3 - low3 || v2 - low2 || v1 - low1 || v0 - low0;
      const over = v3 - high3 || v2 - high2 || v1 - high1 || v0 - high0;
      if (under < 0 || over > 0) word &= ~bit;
    }
    bits[w] = word;
  }
}

function ceilToLimbs({ unscaled, scale }: BigDecimal): bigint {
  return -floorToLimbs({ unscaled: -unscaled, scale });
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
