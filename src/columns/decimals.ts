/** An exact decimal: `unscaled / 10 ** scale`. */
export type BigDecimal = { readonly unscaled: bigint; readonly scale: number };

/** The powers of ten that a float holds exactly. */
export const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

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

/** Reads a decimal text exactly, with no more decimals than the number needs. Throws a RangeError on anything else. */
export function parseDecimal(text: string, column: string): BigDecimal {
  if (!isDecimal(text)) throw new RangeError(`Column "${column}": ${JSON.stringify(text)} is not a decimal`);
  const point = text.indexOf('.');
  if (point < 0) return { unscaled: BigInt(text), scale: 0 };
  const fraction = withoutEndZeros(text.slice(point + 1));
  return { unscaled: BigInt(text.slice(0, point) + fraction), scale: fraction.length };
}

/** The canonical text of a decimal: no exponent, no trailing zeros, no minus before zero. */
export function formatDecimal({ unscaled, scale }: BigDecimal): string {
  const negative = unscaled < 0n;
  return withPoint((negative ? -unscaled : unscaled).toString(), scale, negative);
}

/** The canonical text of `whole / 10 ** scale`, where `whole` is a safe integer. */
export function formatSafe(whole: number, scale: number): string {
  return withPoint(String(Math.abs(whole)), scale, whole < 0);
}

function withPoint(magnitude: string, scale: number, negative: boolean): string {
  const digits = magnitude.padStart(scale + 1, '0');
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
export function rescale({ unscaled, scale }: BigDecimal, to: number): bigint {
  return scale === to ? unscaled : unscaled * 10n ** BigInt(to - scale);
}

/** The largest whole number of 10^-scale not above a decimal. */
export function floorTo(scale: number, value: BigDecimal): bigint {
  if (value.scale <= scale) return rescale(value, scale);
  const by = 10n ** BigInt(value.scale - scale);
  const quotient = value.unscaled / by;
  return value.unscaled < 0n && quotient * by !== value.unscaled ? quotient - 1n : quotient;
}

/** The smallest whole number of 10^-scale not below a decimal. */
export function ceilTo(scale: number, { unscaled, scale: own }: BigDecimal): bigint {
  return -floorTo(scale, { unscaled: -unscaled, scale: own });
}
