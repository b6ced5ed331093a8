import { BigNumber } from 'bignumber.js';

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

const grouped = {
  prefix: '',
  decimalSeparator: '.',
  groupSeparator: ',',
  groupSize: 3,
  secondaryGroupSize: 0,
  fractionGroupSize: 0,
  fractionGroupSeparator: '',
  suffix: '',
};

function formatWithin(text: string, least: number, most: number): string {
  const value = decimal(text);
  const places = Math.min(most, Math.max(least, value.decimalPlaces() ?? 0));
  const shown = value.abs().toFormat(places, BigNumber.ROUND_HALF_EVEN, grouped);
  const negative = value.isNegative() && !value.isZero();
  return negative ? `(${shown})` : shown;
}

/** US dollars with 2 places, half to even; negative in parentheses: `(1,234.56)`. */
export function formatUsd(text: string): string {
  return formatWithin(text, 2, 2);
}

/** A price in US dollars with 2 to 8 places. */
export function formatPrice(text: string): string {
  return formatWithin(text, 2, 8);
}

/** A quantity of a digital asset with 8 to 18 places; money kept in a currency takes `least` 2. */
export function formatQuantity(text: string, least = 8): string {
  return formatWithin(text, least, 18);
}

/** The number as a spreadsheet reads it: `-1234.56`, every digit kept; zero has no sign. */
export function plainDecimal(text: string): string {
  const value = decimal(text);
  return (value.isZero() ? value.abs() : value).toFixed();
}

/** The same amount with the other sign. */
export function negated(text: string): string {
  return decimal(text).negated().toFixed();
}
