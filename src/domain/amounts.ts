import { BigNumber } from 'bignumber.js';
import { groupSeparator, type NumberStyle, usualNumbers, withSign } from './number-style.ts';

/** Exact decimals: sums and products never round, a quotient keeps 36 places, half to even. */
const Decimal = BigNumber.clone({ DECIMAL_PLACES: 36, ROUNDING_MODE: BigNumber.ROUND_HALF_EVEN, EXPONENTIAL_AT: 1e9 });

/** Reads a decimal that crossed the wire. Never takes a float. */
export function decimal(text: string | bigint): BigNumber {
  return new Decimal(typeof text === 'bigint' ? text.toString() : text);
}

/** The sum of decimals as exact text. */
export function sumOf(values: readonly string[]): string {
  return values.reduce((sum, value) => sum.plus(value), decimal('0')).toFixed();
}

const ungrouped = {
  prefix: '',
  decimalSeparator: '.',
  groupSize: 3,
  secondaryGroupSize: 0,
  fractionGroupSize: 0,
  fractionGroupSeparator: '',
  suffix: '',
};

/** Places from `least` to `most`, half to even; `most` says nothing where a style wants every digit. */
function formatWithin(text: string, { least, most }: { least: number; most: number }, style: NumberStyle): string {
  const value = decimal(text);
  const places = Math.max(least, value.decimalPlaces() ?? 0);
  const size = value.abs().toFormat(style.decimals === 'all' ? places : Math.min(most, places), BigNumber.ROUND_HALF_EVEN, {
    ...ungrouped,
    groupSeparator: groupSeparator(style),
  });
  return withSign(size, value.isNegative() && !value.isZero(), style);
}

/** US dollars with 2 places, as a rule `(1,234.56)`. */
export function formatUsd(text: string, style = usualNumbers): string {
  return formatWithin(text, { least: 2, most: 2 }, style);
}

const pricePlaces = 8;

/** Whether a price is more than nothing and would be shown as nothing with 8 places. */
export function isTinyPrice(text: string): boolean {
  const value = decimal(text);
  return !value.isZero() && value.decimalPlaces(pricePlaces, BigNumber.ROUND_HALF_EVEN).isZero();
}

/** A price in US dollars with 2 to 8 places; one too small for that with its first digits that count, however many zeros go before. */
export function formatPrice(text: string, style = usualNumbers): string {
  if (!isTinyPrice(text)) return formatWithin(text, { least: 2, most: pricePlaces }, style);
  const first = style.decimals === 'all' ? text : decimal(text).precision(4, BigNumber.ROUND_HALF_EVEN).toFixed();
  return formatWithin(first, { least: 2, most: Number.POSITIVE_INFINITY }, style);
}

/** A quantity with at least so many places, and 18 at most. */
export function formatQuantity(text: string, least = 8, style = usualNumbers): string {
  return formatWithin(text, { least, most: 18 }, style);
}

/** An amount with every digit it has. */
export function exactAmount(text: string, style = usualNumbers): string {
  return formatWithin(text, { least: 0, most: Number.POSITIVE_INFINITY }, style);
}

/** The number as a spreadsheet reads it: `-1234.56`, every digit kept; zero has no sign. */
export function plainDecimal(text: string): string {
  const value = decimal(text);
  return (value.isZero() ? value.abs() : value).toFixed();
}

/** The same decimal with the other sign, written as it was; zero has none. */
export function negated(text: string): string {
  if (text.startsWith('-')) return text.slice(1);
  return /^[^e]*[1-9]/i.test(text) ? `-${text}` : text;
}
