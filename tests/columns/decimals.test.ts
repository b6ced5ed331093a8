import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocateDecimals, copyDecimals, type DecimalColumn, formOf, readDecimal, writeDecimal } from '#columns/decimal-columns.ts';
import { addProducts, addValues, DecimalSums } from '#columns/decimal-sums.ts';
import { type BigDecimal, formatDecimal, isDecimal, parseDecimal } from '#columns/decimals.ts';
import { narrowDecimals } from '#columns/narrow-decimals.ts';
import { decimalText } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
import { exact, text } from './oracle.ts';

const wide = { scale: 18, limbs: 4 };

test('[CO8] a decimal comes back as the canonical text of the very same number, however many digits it has', patient, () => {
  fc.assert(
    fc.property(fc.array(decimalText, { minLength: 1, maxLength: 20 }), (texts) => {
      const column = allocateDecimals(texts.length + 1, wide);
      for (const [row, each] of texts.entries()) writeDecimal(column, row, parseDecimal(each, 'usd'));
      for (const [row, each] of texts.entries()) {
        const value = readDecimal(column, row);
        expect(value && formatDecimal(value)).toBe(text(exact(each), 80));
      }
      expect(readDecimal(column, texts.length)).toBeNull();
    }),
    { numRuns: cases },
  );
});

test('[CO8] only a value that does not fit the limbs goes to the side map', () => {
  const column = allocateDecimals(6, wide);
  const values = [
    '1.10000000000000000000000',
    '-170141183381241069217.4',
    '0.0000000000000000001',
    '170141183460469231732',
    '0',
    '9'.repeat(40),
  ];
  for (const [row, value] of values.entries()) writeDecimal(column, row, parseDecimal(value, 'usd'));
  expect([...column.side.keys()]).toEqual([2, 3, 5]);
});

function narrowed(column: DecimalColumn, rows: number): DecimalColumn {
  const narrowing = narrowDecimals(column, rows);
  for (;;) {
    const { done, value } = narrowing.next();
    if (done) return value;
  }
}

const decimalForms = fc.record({ scale: fc.nat(18), limbs: fc.nat(4) });

test('[CO22] a decimal survives any change of form, and the narrowest form is the fewest decimals in the fewest limbs', patient, () => {
  fc.assert(
    fc.property(fc.array(fc.option(decimalText, { freq: 5 }), { maxLength: 20 }), decimalForms, decimalForms, (texts, a, b) => {
      const parsed = texts.map((each) => (each === null ? null : parseDecimal(each, 'usd')));
      const first = allocateDecimals(texts.length, a);
      for (const [row, value] of parsed.entries()) writeDecimal(first, row, value);
      const second = allocateDecimals(texts.length, { scale: Math.max(a.scale, b.scale), limbs: Math.max(a.limbs, b.limbs) });
      copyDecimals(first, 0, second, 0, texts.length);
      for (const [row, value] of first.side) second.side.set(row, value);
      const narrow = narrowed(second, texts.length);
      for (const [row, each] of texts.entries()) {
        for (const column of [first, second, narrow]) {
          const value = readDecimal(column, row);
          expect(value && formatDecimal(value)).toBe(each === null ? null : text(exact(each), 80));
        }
      }
      const inLimbs = parsed.filter((value, row) => value !== null && !narrow.side.has(row)) as BigDecimal[];
      const scale = Math.max(0, ...inLimbs.map((each) => each.scale));
      const wholes = inLimbs.map(({ unscaled, scale: own }) => unscaled * 10n ** BigInt(scale - own));
      expect(formOf(narrow)).toEqual({ scale, limbs: [0, 1, 2, 3, 4].find((limbs) => wholes.every((whole) => fits(whole, limbs))) });
    }),
    { numRuns: cases },
  );
});

test('[CO22] the number that a limb is marked with takes one limb more', () => {
  const limbsFor = (value: string) => {
    const column = allocateDecimals(1, wide);
    writeDecimal(column, 0, parseDecimal(value, 'usd'));
    return formOf(narrowed(column, 1)).limbs;
  };
  const edges = [2n ** 31n, 2n ** 63n, 2n ** 95n / 10n ** 9n];
  expect(edges.map((edge) => limbsFor(String(-edge)))).toEqual([2, 3, 3]);
  expect(limbsFor(String(1 - 2 ** 31))).toBe(1);
  expect(limbsFor(String(2n ** 31n - 1n))).toBe(1);
});

/** Whether a number fits so many limbs, of which the top one is never the mark. */
function fits(whole: bigint, limbs: number): boolean {
  const unit = 1n << BigInt(32 * Math.max(0, limbs - 1));
  return limbs > 0 && whole >= (1n - (1n << 31n)) * unit && whole < (1n << 31n) * unit;
}

test('[CO9] only plain decimal text is a decimal', () => {
  for (const good of ['0', '-0', '1', '-1.5', '007', '0.10', '9'.repeat(60)]) expect(isDecimal(good)).toBe(true);
  for (const bad of [
    '',
    '-',
    '.',
    '.5',
    '5.',
    '1e5',
    'NaN',
    'Infinity',
    'abc',
    '+1',
    ' 1',
    '1 ',
    '1,5',
    '1.2.3',
    '--1',
    '0x10',
    '1\n',
    '١',
  ]) {
    expect(isDecimal(bad)).toBe(false);
    expect(() => parseDecimal(bad, 'usd')).toThrow(new RangeError(`Column "usd": ${JSON.stringify(bad)} is not a decimal`));
  }
});

const rows = Uint32Array.from({ length: 65_536 }, (_, row) => row);
const values = ['170141183381241069217.4', '-170141183381241069217.4', '-0.000000000000000001', '0'];

test('[CO4] a sum stays exact where limbs gathered as floats would have rounded', () => {
  for (const value of values) {
    for (const groupCount of [1, 2]) {
      const column = allocateDecimals(rows.length, wide);
      for (const row of rows) writeDecimal(column, row, parseDecimal(value, 'usd'));
      const groups = new Uint32Array(rows.length).fill(groupCount - 1);
      const sums = new DecimalSums();
      for (let i = 0; i < 36; i++) addValues(sums, column, { rows, groups, count: rows.length, groupCount, sign: 1 });
      sums.carry();
      expect(sums.textOf(groupCount - 1)).toBe(text(exact(value) * 36n * 65_536n, 80));
    }
  }
});

test('[CO4] a sum of products stays exact where limbs gathered as floats would have rounded', () => {
  for (const value of values) {
    const column = allocateDecimals(rows.length, wide);
    for (const row of rows) writeDecimal(column, row, parseDecimal(value, 'usd'));
    const sums = new DecimalSums();
    const groups = new Uint32Array(rows.length);
    for (let i = 0; i < 5; i++) addProducts(sums, column, column, { rows, groups, count: rows.length, groupCount: 1, sign: 1 });
    sums.carry();
    expect(sums.textOf(0)).toBe(text(exact(value) ** 2n * 5n * 65_536n, 160));
  }
});
