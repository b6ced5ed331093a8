/** How amounts are written on the screen. Copies and files have their own form, which no style changes. */
export interface NumberStyle {
  negatives: 'parentheses' | 'minus';
  /** What stands between thousands. */
  grouping: 'comma' | 'space' | 'none';
  /** `usual`: two for money, two to eight for a price, eight to eighteen for a digital asset; `all`: every one there is. */
  decimals: 'usual' | 'all';
}

/** The form accountants expect: `(1,234.56)`. */
export const usualNumbers: NumberStyle = { negatives: 'parentheses', grouping: 'comma', decimals: 'usual' };

/** What can be chosen of each, with an example as its name. */
export const numberChoices = {
  negatives: { parentheses: 'In parentheses: (1,234.56)', minus: 'With a minus sign: -1,234.56' },
  grouping: { comma: 'Comma: 1,234,567.89', space: 'Space: 1 234 567.89', none: 'None: 1234567.89' },
  decimals: { usual: 'USD 2, prices up to 8, digital assets 8 to 18', all: 'Every digit that is known' },
} as const satisfies { [K in keyof NumberStyle]: Record<NumberStyle[K], string> };

// a narrow space that no line breaks at
const separators: Readonly<Record<NumberStyle['grouping'], string>> = { comma: ',', space: '\u202f', none: '' };

export function groupSeparator({ grouping }: NumberStyle): string {
  return separators[grouping];
}

/** A size as a signed amount of a style. */
export function withSign(size: string, isNegative: boolean, { negatives }: NumberStyle): string {
  if (!isNegative) return size;
  return negatives === 'minus' ? `-${size}` : `(${size})`;
}
