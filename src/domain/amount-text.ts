import { decimal, negated } from './amounts.ts';
import type { AmountRange } from './transaction-filter.ts';

/** What a person wants of an amount: a range, or anything but it. */
export interface AmountChoice {
  range: AmountRange;
  not?: boolean;
}

export type AmountReading = { ok: true; choice: AmountChoice } | { ok: false; message: string };

export const amountExpected = 'Write an amount such as >100, 10-50 or (25)';
export const amountHint = 'Without a sign the size counts: >100 finds 150 and (150). With + or -, or in parentheses, the sign counts too.';

const longestText = 200;
const refused: AmountReading = { ok: false, message: amountExpected };

/** One number as written; `hasSign` when a sign or parentheses were. */
interface Written {
  value: string;
  hasSign: boolean;
}

const numberPattern =
  /^(\()?\s*([+-])?\s*\$?\s*([+-])?((?:\d{1,60}|[1-9]\d{0,2}(?:[,\u0020\u00a0\u202f]\d{3}){1,19})(?:\.\d{0,40})?|\.\d{1,40})\s*(k|mm?|bn?)?\s*(\))?(?:\s*usd)?$/;
const multiples: Readonly<Record<string, string>> = { k: '1000', m: '1000000', mm: '1000000', b: '1000000000', bn: '1000000000' };
/** What the wire takes as a decimal. */
const storable = /^-?\d{1,60}(\.\d{1,40})?$/;

function readNumber(text: string): Written | null {
  const found = numberPattern.exec(text.trim());
  if (!found) return null;
  const [, open, before, after, digits = '', unit = '', close] = found;
  const marks = [open, before, after].filter(Boolean);
  if ((open === undefined) !== (close === undefined) || marks.length > 1) return null;
  const size = decimal(
    digits
      .replaceAll(/[^\d.]/g, '')
      .replace(/\.$/, '')
      .replace(/^\./, '0.'),
  )
    .times(decimal(multiples[unit] ?? '1'))
    .toFixed();
  const value = marks.length === 0 || marks[0] === '+' || decimal(size).isZero() ? size : negated(size);
  return storable.test(value) ? { value, hasSign: marks.length > 0 } : null;
}

type Bound = 'above' | 'atLeast' | 'below' | 'atMost';

const boundWords: Readonly<Record<string, Bound | 'equal'>> = {
  '>': 'above',
  over: 'above',
  above: 'above',
  'more than': 'above',
  'greater than': 'above',
  '>=': 'atLeast',
  '=>': 'atLeast',
  'at least': 'atLeast',
  from: 'atLeast',
  '<': 'below',
  under: 'below',
  below: 'below',
  'less than': 'below',
  '<=': 'atMost',
  '=<': 'atMost',
  'at most': 'atMost',
  'up to': 'atMost',
  '=': 'equal',
  exactly: 'equal',
};
const boundPattern =
  /^(>=|=>|<=|=<|>|<|=|(?:over|above|more than|greater than|at least|from|under|below|less than|at most|up to|exactly)(?=[\s($+-]))\s*/;

/** Bounds with what is known of their signs, as a range; null where no amount could meet them. */
function rangeOf(bounds: readonly [Bound, Written][], isSigned: boolean): AmountRange | null {
  const range: AmountRange = Object.fromEntries(bounds.map(([bound, { value }]) => [bound, value]));
  const [low, high] = [range.above ?? range.atLeast, range.below ?? range.atMost];
  if (low !== undefined && high !== undefined) {
    const gap = decimal(high).comparedTo(decimal(low)) ?? 0;
    if (gap < 0 || (gap === 0 && (range.above !== undefined || range.below !== undefined))) return null;
  }
  if (isSigned) return range;
  // every size is at least zero, so that bound says nothing where there is another
  if (high !== undefined && range.atLeast === '0') delete range.atLeast;
  return { ...range, size: true };
}

const isZero = ({ value }: Written): boolean => value === '0';

function exactly(written: Written): AmountRange {
  const bounds = { atLeast: written.value, atMost: written.value };
  return written.hasSign || isZero(written) ? bounds : { ...bounds, size: true };
}

/** `>10`, `at least 10`, or two of those: `>10 <=50`. */
function readBounds(text: string): AmountRange | null {
  const op = boundPattern.exec(text);
  if (!op) return null;
  const bound = boundWords[op[1] ?? ''];
  const rest = text.slice(op[0].length);
  const second = /^(.*?[^\s,])\s*(?:,|\band\b)?\s*(?=[<>])(.*)$/.exec(rest);
  const written = readNumber(second?.[1] ?? rest);
  if (!written || bound === undefined) return null;
  if (bound === 'equal') return second ? null : exactly(written);
  const first: [Bound, Written] = [bound, written];
  if (!second) return rangeOf([first], written.hasSign || isZero(written));
  const nextOp = boundPattern.exec(second[2] ?? '');
  const nextBound = boundWords[nextOp?.[1] ?? ''];
  const next = readNumber((second[2] ?? '').slice(nextOp?.[0].length ?? 0));
  if (!next || nextBound === undefined || nextBound === 'equal') return null;
  const isUpper = (one: Bound): boolean => one === 'below' || one === 'atMost';
  if (isUpper(bound) === isUpper(nextBound)) return null;
  return rangeOf(
    [first, [nextBound, next]],
    [written, next].some((one) => one.hasSign || isZero(one)),
  );
}

/** Two numbers with `to`, dots or a hyphen between, in whichever order. */
function readSpan(typed: string): AmountRange | null {
  const between = /^between\s+(.*)\sand\s(.*)$/.exec(typed);
  const text = between ? `${between[1]} to ${between[2]}` : typed.replace(/^from\s+/, '');
  for (const seam of text.matchAll(/\s*(?:\.{2,3}|…|to|(?<=\S)\s*-)\s*/g)) {
    const [one, other] = [readNumber(text.slice(0, seam.index)), readNumber(text.slice(seam.index + seam[0].length))];
    if (!one || !other) continue;
    const [low, high] = decimal(one.value).isGreaterThan(decimal(other.value)) ? [other, one] : [one, other];
    if (low.value === high.value) return exactly({ ...low, hasSign: low.hasSign || high.hasSign });
    const ends: [Bound, Written][] = [
      ['atLeast', low],
      ['atMost', high],
    ];
    return rangeOf(ends, low.hasSign || high.hasSign);
  }
  return null;
}

/**
 * Reads what a person types for an amount: `>100`, `<=5`, `100`, `10-50`, `10 to 50`, `(50)`, `1.5k`, `>10 <50`, `not 10-50`, `<>0`.
 * A bound without a sign looks at the size; one with a sign, in parentheses, or a comparison with zero looks at the signed amount.
 * Ends in the wrong order are turned round. Exact: no number passes through a float.
 */
export function readAmount(typed: string): AmountReading {
  if (typed.length > longestText) return refused;
  const text = typed.toLowerCase().replace(/[−–—]/g, '-').replaceAll('≥', '>=').replaceAll('≤', '<=').replaceAll('≠', '<>').trim();
  const negation = /^(not\b|<>|!=)\s*/.exec(text);
  const rest = text.slice(negation?.[0].length ?? 0);
  const single = readNumber(rest);
  const range = single ? exactly(single) : (readBounds(rest) ?? readSpan(rest));
  if (!range) return refused;
  if (!negation) return { ok: true, choice: { range } };
  // "other than zero" wants amounts, not rows without one
  if (negation[1] !== 'not' && range.atLeast === '0' && range.atMost === '0')
    return { ok: true, choice: { range: { above: '0', size: true } } };
  return { ok: true, choice: { range, not: true } };
}
