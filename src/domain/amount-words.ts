import { decimal, exactAmount } from './amounts.ts';
import { type NumberStyle, usualNumbers } from './number-style.ts';
import type { AmountChoice } from './amount-text.ts';
import type { AmountRange } from './transaction-filter.ts';

/** How one style writes: its numbers, and what it puts between them. */
interface Style {
  number: (value: string) => string;
  gap: string;
  to: string;
}

const typed: Style = { number: (value) => value, gap: '', to: '..' };
const shown = (numbers: NumberStyle): Style => ({ number: (value) => exactAmount(value, numbers), gap: ' ', to: ' to ' });

const signs = { above: '>', atLeast: '>=', below: '<', atMost: '<=' } as const;
type Bound = keyof typeof signs;

function boundsOf(range: AmountRange): [Bound, string][] {
  return (Object.keys(signs) as Bound[]).flatMap((bound) => (range[bound] === undefined ? [] : [[bound, range[bound]]]));
}

/** Writes a number; one whose sign counts has it written, too. */
function signed(value: string, range: AmountRange, style: Style): string {
  return !range.size && decimal(value).isPositive() && !decimal(value).isZero() ? `+${style.number(value)}` : style.number(value);
}

function written({ range, not }: AmountChoice, style: Style): string {
  const number = (value: string): string => signed(value, range, style);
  const negation = not ? 'not ' : '';
  const { atLeast, atMost } = range;
  const bounds = boundsOf(range);
  if (range.size && range.above === '0' && bounds.length === 1) return `<>${style.gap}0`;
  if (bounds.length === 2 && atLeast !== undefined && atMost !== undefined) {
    if (atLeast !== atMost) return `${negation}${number(atLeast)}${style.to}${number(atMost)}`;
    return not ? `not ${number(atLeast)}` : `${style.gap ? '= ' : ''}${number(atLeast)}`;
  }
  return negation + bounds.map(([bound, value]) => `${signs[bound]}${style.gap}${number(value)}`).join(' ');
}

/** An amount filter as one types it, and as the address holds it: `>100`, `-50..-10`; `readAmount` reads it back. */
export function amountText(choice: AmountChoice): string {
  return written(choice, typed);
}

/** An amount filter as a label shows it: `> 1,000`, `(50) to (10)`; `readAmount` reads this back, too. */
export function amountLabel(choice: AmountChoice, numbers = usualNumbers): string {
  return written(choice, shown(numbers));
}

const boundWords: Record<Bound, (amount: string) => string> = {
  above: (amount) => `greater than ${amount}`,
  atLeast: (amount) => `${amount} or more`,
  below: (amount) => `less than ${amount}`,
  atMost: (amount) => `${amount} or less`,
};

/** What an amount filter finds, in a sentence: `Greater than 100 in size`. */
export function amountWords({ range, not }: AmountChoice, numbers = usualNumbers): string {
  const { atLeast, atMost, size } = range;
  const bounds = boundsOf(range);
  const isSpan = bounds.length === 2 && atLeast !== undefined && atMost !== undefined;
  const number = (value: string): string => signed(value, range, shown(numbers));
  const words = isSpan
    ? atLeast === atMost
      ? `exactly ${number(atLeast)}`
      : `from ${number(atLeast)} to ${number(atMost)}`
    : bounds.map(([bound, value]) => boundWords[bound](number(value))).join(' and ');
  const isNotZero = size && range.above === '0' && bounds.length === 1;
  const whole = isNotZero
    ? 'any amount but zero'
    : `${not ? 'not ' : ''}${words}${size ? ' in size' : atLeast === '0' && isSpan && atMost === '0' ? '' : ', sign counted'}`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
