import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocateDecimals, formatDecimal, isDecimal, parseDecimal, readDecimal, writeDecimal } from '#columns/decimals.ts';
import { productSumsOf, sumsOf } from '#columns/sums.ts';
import { decimalText } from './arbitraries.ts';
import { exact, text } from './oracle.ts';

test('[CO8] a decimal comes back as the canonical text of the very same number, however many digits it has', () => {
  fc.assert(
    fc.property(fc.array(decimalText, { minLength: 1, maxLength: 20 }), (texts) => {
      const column = allocateDecimals(texts.length + 1);
      for (const [row, each] of texts.entries()) writeDecimal(column, row, parseDecimal(each, 'usd'));
      for (const [row, each] of texts.entries()) {
        const value = readDecimal(column, row);
        expect(value && formatDecimal(value)).toBe(text(exact(each), 80));
      }
      expect(readDecimal(column, texts.length)).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('[CO8] only a value that does not fit the limbs goes to the side map', () => {
  const column = allocateDecimals(5);
  const values = ['1.10000000000000000000000', '-170141183381241069217.4', '0.0000000000000000001', '170141183381241069217.5', '0'];
  for (const [row, value] of values.entries()) writeDecimal(column, row, parseDecimal(value, 'usd'));
  expect([...column.side.keys()]).toEqual([2, 3]);
});

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
      const column = allocateDecimals(rows.length);
      for (const row of rows) writeDecimal(column, row, parseDecimal(value, 'usd'));
      const groups = new Uint32Array(rows.length).fill(groupCount - 1);
      const sums = sumsOf();
      sums.next(column);
      for (let i = 0; i < 36; i++) sums.add(rows, groups, rows.length, groupCount);
      expect(sums.textOf(groupCount - 1)).toBe(text(exact(value) * 36n * 65_536n, 80));
    }
  }
});

test('[CO4] a sum of products stays exact where limbs gathered as floats would have rounded', () => {
  for (const value of values) {
    const column = allocateDecimals(rows.length);
    for (const row of rows) writeDecimal(column, row, parseDecimal(value, 'usd'));
    const sums = productSumsOf();
    sums.next(column, column);
    for (let i = 0; i < 5; i++) sums.add(rows, new Uint32Array(rows.length), rows.length, 1);
    expect(sums.textOf(0)).toBe(text(exact(value) ** 2n * 5n * 65_536n, 160));
  }
});
