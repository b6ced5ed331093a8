import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AmountChoice, amountExpected, readAmount } from '#domain/amount-text.ts';
import { amountLabel, amountText, amountWords } from '#domain/amount-words.ts';
import { decimal } from '#domain/amounts.ts';
import type { AmountRange } from '#domain/transaction-filter.ts';

function read(text: string): AmountChoice | string {
  const reading = readAmount(text);
  return reading.ok ? reading.choice : reading.message;
}

const rangeOf = (text: string): AmountRange | string => {
  const choice = read(text);
  return typeof choice === 'string' ? choice : choice.range;
};

describe('[TF3] amounts are read as people type them', () => {
  test.each<[string, AmountRange]>([
    ['>100', { above: '100', size: true }],
    [' > 100 ', { above: '100', size: true }],
    ['>=100', { atLeast: '100', size: true }],
    ['≥ 100', { atLeast: '100', size: true }],
    ['<5', { below: '5', size: true }],
    ['<=5', { atMost: '5', size: true }],
    ['at most 5', { atMost: '5', size: true }],
    ['over $1k', { above: '1000', size: true }],
    ['100', { atLeast: '100', atMost: '100', size: true }],
    ['=100', { atLeast: '100', atMost: '100', size: true }],
    ['10-50', { atLeast: '10', atMost: '50', size: true }],
    ['10 to 50', { atLeast: '10', atMost: '50', size: true }],
    ['10to50', { atLeast: '10', atMost: '50', size: true }],
    ['10..50', { atLeast: '10', atMost: '50', size: true }],
    ['10–50', { atLeast: '10', atMost: '50', size: true }],
    ['between 10 and 50', { atLeast: '10', atMost: '50', size: true }],
    ['from 1k to 2.5m', { atLeast: '1000', atMost: '2500000', size: true }],
    ['>10 <=50', { above: '10', atMost: '50', size: true }],
    ['>10 and <50', { above: '10', below: '50', size: true }],
    ['0.123', { atLeast: '0.123', atMost: '0.123', size: true }],
    ['1,234.56', { atLeast: '1234.56', atMost: '1234.56', size: true }],
    ['$1,000', { atLeast: '1000', atMost: '1000', size: true }],
    ['0010.50 usd', { atLeast: '10.5', atMost: '10.5', size: true }],
    ['.5', { atLeast: '0.5', atMost: '0.5', size: true }],
    ['0.000000000000000001', { atLeast: '0.000000000000000001', atMost: '0.000000000000000001', size: true }],
    ['0-50', { atMost: '50', size: true }],
  ])('%s looks at the size', (text, range) => expect(rangeOf(text)).toEqual(range));

  test.each<[string, AmountRange]>([
    ['(50)', { atLeast: '-50', atMost: '-50' }],
    ['($1,250.00)', { atLeast: '-1250', atMost: '-1250' }],
    ['-50', { atLeast: '-50', atMost: '-50' }],
    ['−50', { atLeast: '-50', atMost: '-50' }],
    ['-$1.5k', { atLeast: '-1500', atMost: '-1500' }],
    ['$-50', { atLeast: '-50', atMost: '-50' }],
    ['+100', { atLeast: '100', atMost: '100' }],
    ['>+100', { above: '100' }],
    ['<-100', { below: '-100' }],
    ['>= (100)', { atLeast: '-100' }],
    ['<0', { below: '0' }],
    ['>0', { above: '0' }],
    ['0', { atLeast: '0', atMost: '0' }],
    ['-0', { atLeast: '0', atMost: '0' }],
    ['-50..-10', { atLeast: '-50', atMost: '-10' }],
    ['-50--10', { atLeast: '-50', atMost: '-10' }],
    ['(50) - (10)', { atLeast: '-50', atMost: '-10' }],
    ['-50-10', { atLeast: '-50', atMost: '10' }],
    ['0..+50', { atLeast: '0', atMost: '50' }],
    ['>0 <50', { above: '0', below: '50' }],
  ])('%s looks at the sign, too', (text, range) => expect(rangeOf(text)).toEqual(range));

  test('ends in the wrong order are turned round', () => {
    expect(rangeOf('50-10')).toEqual(rangeOf('10-50'));
    expect(rangeOf('(10) to (50)')).toEqual({ atLeast: '-50', atMost: '-10' });
    expect(rangeOf('7..7')).toEqual(rangeOf('7'));
  });

  test('anything but a range is told with not, and amounts other than zero as in a spreadsheet', () => {
    expect(read('not 10-50')).toEqual({ range: { atLeast: '10', atMost: '50', size: true }, not: true });
    expect(read('<>100')).toEqual({ range: { atLeast: '100', atMost: '100', size: true }, not: true });
    expect(read('<>0')).toEqual({ range: { above: '0', size: true } });
    expect(read('not 0')).toEqual({ range: { atLeast: '0', atMost: '0' }, not: true });
  });
});

const nonsense =
  '|   |abc|NaN|Infinity|-Infinity|1e999|1e5|0x10|>|<=|-|()|(50|50)|--5|(-5)|+-5|1,23|1,2345|0,123|>0,123|00,123|>0 123|,5|1..|..5|1...2...3|1-2-3|5 5|> > 5|>5 >6|>10 <5|>5 <5|>=5 <5|=5 <6|10%|€5|not|not not 5|not |5k5|1kk|٣|<script>|__proto__|constructor';
const hostile = [
  `>${'9'.repeat(61)}`,
  `${'9'.repeat(60)}k`,
  `0.${'1'.repeat(41)}`,
  '1'.repeat(10_000),
  '('.repeat(150),
  '1,'.repeat(90),
  '-'.repeat(199),
  '1-'.repeat(90),
  ' to '.repeat(40),
];
const refused = [...nonsense.split('|'), ...hostile];
test.each(refused.map((text) => ({ text })))('[TF4] refuses $text and says what was expected', ({ text }) => {
  expect(read(text)).toBe(amountExpected);
});

test('[TF4] a number of forty places and sixty digits stays exact', () => {
  const long = `${'9'.repeat(60)}.${'8'.repeat(40)}`;
  expect(rangeOf(long)).toEqual({ atLeast: long, atMost: long, size: true });
  expect(rangeOf('0.1')).toEqual({ atLeast: '0.1', atMost: '0.1', size: true });
});

const size = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, places]) => decimal(digits).shiftedBy(-places).toFixed());
const amount = fc.oneof(
  size,
  size.map((text) => `-${text}`),
  fc.constant('0'),
);
const ordered = (one: string, other: string): [string, string] => (decimal(one).isLessThan(decimal(other)) ? [one, other] : [other, one]);
const pair = (of: fc.Arbitrary<string>) =>
  fc
    .tuple(of, of)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => ordered(one, other));
const bound = fc.constantFrom('above', 'atLeast', 'below', 'atMost');

function rangesOver(of: fc.Arbitrary<string>): fc.Arbitrary<AmountRange> {
  return fc.oneof(
    fc.tuple(bound, of).map(([name, value]) => ({ [name]: value })),
    of.map((value) => ({ atLeast: value, atMost: value })),
    fc
      .tuple(pair(of), fc.constantFrom('above', 'atLeast'), fc.constantFrom('below', 'atMost'))
      .map(([[low, high], from, to]) => ({ [from]: low, [to]: high })),
  );
}

const choice: fc.Arbitrary<AmountChoice> = fc.oneof(
  fc
    .oneof(
      rangesOver(amount),
      rangesOver(size).map((range) => ({ ...range, size: true })),
    )
    .chain((range): fc.Arbitrary<AmountChoice> => fc.constantFrom({ range }, { range, not: true })),
  fc.constant({ range: { above: '0', size: true } }),
);

test('[TF5] every amount filter is read back from its text and from its label', () => {
  fc.assert(
    fc.property(choice, (one) => {
      expect(read(amountText(one))).toEqual(one);
      expect(read(amountLabel(one))).toEqual(one);
    }),
    { numRuns: 500 },
  );
});

test('[TF5] whatever is typed is refused or read to bounds the columns take, and never throws', () => {
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'0123456789.,-+()$<>=k m to not '.split('')), maxLength: 30 }),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const reading = readAmount(text);
      if (!reading.ok) return;
      const { size: isSize, ...bounds } = reading.choice.range;
      for (const value of Object.values(bounds)) expect(value).toMatch(isSize ? /^\d{1,60}(\.\d{1,40})?$/ : /^-?\d{1,60}(\.\d{1,40})?$/);
      expect(Object.keys(bounds).length).toBeGreaterThan(0);
      expect(read(amountText(reading.choice))).toEqual(reading.choice);
    }),
    { numRuns: 2000 },
  );
});

test('[TF5] labels and meanings read as accountants write', () => {
  const words = (text: string): [string, string] | string => {
    const one = read(text);
    return typeof one === 'string' ? one : [amountLabel(one), amountWords(one)];
  };
  expect(words('>1000')).toEqual(['> 1,000', 'Greater than 1,000 in size']);
  expect(words('<-50')).toEqual(['< (50)', 'Less than (50), sign counted']);
  expect(words('1k..+2k')).toEqual(['+1,000 to +2,000', 'From +1,000 to +2,000, sign counted']);
  expect(words('12.5')).toEqual(['= 12.5', 'Exactly 12.5 in size']);
  expect(words('not 10-50')).toEqual(['not 10 to 50', 'Not from 10 to 50 in size']);
  expect(words('>10 <50')).toEqual(['> 10 < 50', 'Greater than 10 and less than 50 in size']);
  expect(words('<>0')).toEqual(['<> 0', 'Any amount but zero']);
  expect(words('0')).toEqual(['= 0', 'Exactly 0']);
});
