/** An exact decimal: `unscaled / 10 ** scale`. */
export type BigDecimal = { readonly unscaled: bigint; readonly scale: number };

/**
 * One decimal per row, times 10^18, as 128-bit two's complement in planar limbs, `d0` lowest. A row whose `d3` is `marked` holds no number
 * in its limbs: `d0` says whether it is null or whether its value is in `side` (more than 18 decimals, or too large).
 */
export type DecimalColumn = {
  readonly d0: Uint32Array;
  readonly d1: Uint32Array;
  readonly d2: Uint32Array;
  readonly d3: Int32Array;
  readonly side: Map<number, BigDecimal>;
};

/** The decimals that a limb value keeps. */
export const limbScale = 18;
/** The `d3` of a row without a number in its limbs. */
export const marked = -0x80000000;
/** The `d0` of a null row. */
const nullMark = 0;
/** The `d0` of a row whose value is in the side map. */
export const sideMark = 1;
/** The largest magnitude that fits the limbs. */
export const largestInLimbs = (1n << 127n) - (1n << 96n) - 1n;

/** Whether a text is a plain decimal: digits, perhaps a minus before, perhaps a point and digits after. No exponent. */
export function isDecimal(text: string): boolean {
  let digits = 0;
  let points = 0;
  for (let i = text.charCodeAt(0) === 45 ? 1 : 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 48 && unit <= 57) digits++;
    else if (unit === 46 && digits > 0 && points === 0 && i < text.length - 1) points++;
    else return false;
  }
  return digits > 0;
}

/** Reads a decimal text exactly, with a scale of at least 18 (so most values share one scale). Throws a RangeError on anything else. */
export function parseDecimal(text: string, column: string): BigDecimal {
  if (!isDecimal(text)) throw new RangeError(`Column "${column}": ${JSON.stringify(text)} is not a decimal`);
  const point = text.indexOf('.');
  if (point < 0) return { unscaled: BigInt(`${text}000000000000000000`), scale: limbScale };
  let fraction = text.slice(point + 1);
  if (fraction.length > limbScale) fraction = fraction.slice(0, limbScale) + withoutEndZeros(fraction.slice(limbScale));
  fraction = fraction.padEnd(limbScale, '0');
  return { unscaled: BigInt(text.slice(0, point) + fraction), scale: fraction.length };
}

/** The canonical text of a decimal: no exponent, no trailing zeros, no minus before zero. */
export function formatDecimal({ unscaled, scale }: BigDecimal): string {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const fraction = withoutEndZeros(digits.slice(digits.length - scale));
  return `${negative ? '-' : ''}${digits.slice(0, digits.length - scale)}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`;
}

// A loop, not /0+$/, which takes quadratic time on a long run of zeros that does not end the text.
function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** The exact sum of two decimals. */
export function addDecimals(a: BigDecimal, b: BigDecimal): BigDecimal {
  const scale = Math.max(a.scale, b.scale);
  return { unscaled: rescale(a, scale) + rescale(b, scale), scale };
}

/** Compares two decimals exactly: negative, zero or positive. */
export function compareDecimals(a: BigDecimal, b: BigDecimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = rescale(a, scale);
  const right = rescale(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The unscaled number of a decimal at a scale not smaller than its own. */
function rescale({ unscaled, scale }: BigDecimal, to: number): bigint {
  return scale === to ? unscaled : unscaled * 10n ** BigInt(to - scale);
}

/** The largest whole number of 10^-18 not above a decimal. */
export function floorToLimbs({ unscaled, scale }: BigDecimal): bigint {
  if (scale <= limbScale) return rescale({ unscaled, scale }, limbScale);
  const by = 10n ** BigInt(scale - limbScale);
  const quotient = unscaled / by;
  return unscaled < 0n && quotient * by !== unscaled ? quotient - 1n : quotient;
}

/** Columns for `rows` decimals, all null. */
export function allocateDecimals(rows: number): DecimalColumn {
  const words = () => new Uint32Array(rows);
  return { d0: words(), d1: words(), d2: words(), d3: new Int32Array(rows).fill(marked), side: new Map() };
}

// One scratch of 128 bits seen as two 64-bit and as four 32-bit limbs (every machine we run on is little-endian).
const wide = new BigInt64Array(2);
const limbs = new Uint32Array(wide.buffer);

/** Writes one value, or null. What does not fit the limbs goes to the side map; nothing is ever rounded. */
export function writeDecimal(column: DecimalColumn, row: number, value: BigDecimal | null): void {
  const fits = value !== null && value.scale === limbScale && value.unscaled <= largestInLimbs && value.unscaled >= -largestInLimbs;
  if (!fits) {
    column.d3[row] = marked;
    column.d0[row] = value === null ? nullMark : sideMark;
    if (value !== null) column.side.set(row, value);
    return;
  }
  wide[0] = BigInt.asIntN(64, value.unscaled);
  wide[1] = value.unscaled >> 64n;
  column.d0[row] = limbs[0] as number;
  column.d1[row] = limbs[1] as number;
  column.d2[row] = limbs[2] as number;
  column.d3[row] = limbs[3] as number;
}

/** The exact value of a row, or null. */
export function readDecimal(column: DecimalColumn, row: number): BigDecimal | null {
  if (column.d3[row] === marked) return column.side.get(row) ?? null;
  limbs[0] = column.d0[row] as number;
  limbs[1] = column.d1[row] as number;
  limbs[2] = column.d2[row] as number;
  limbs[3] = column.d3[row] as number;
  return { unscaled: ((wide[1] as bigint) << 64n) | BigInt.asUintN(64, wide[0] as bigint), scale: limbScale };
}

/** The four limbs of a number that fits them, lowest first; the last one is signed. */
export function limbsOf(unscaled: bigint): readonly [number, number, number, number] {
  wide[0] = BigInt.asIntN(64, unscaled);
  wide[1] = unscaled >> 64n;
  return [limbs[0] as number, limbs[1] as number, limbs[2] as number, (limbs[3] as number) | 0];
}
