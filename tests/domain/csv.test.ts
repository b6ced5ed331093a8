import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, csvOf, safeCell, startsFormula, tsvOf } from '#domain/csv.ts';

const read = (csv: string): string[][] => parse(csv, { bom: true, relax_column_count: true });
const line = (...texts: string[]): string => csvLine(texts.map((text) => ({ text, isNumber: false })));

/** Halves of characters have no place in UTF-8. */
const inUtf8 = (text: string): string => Buffer.from(text).toString();

/** Texts of the kind that break files: quotes, separators, line ends, signs, invisible characters, halves of characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        ';',
        '\t',
        '\r',
        '\n',
        '\r\n',
        '=',
        '+',
        '-',
        '@',
        '＝',
        '＠',
        "'",
        ' ',
        '\u00a0',
        '\u200b',
        '\ufeff',
        '\0',
        '|',
        '=1+1',
      ),
      fc.constantFrom('\ud83d', '\ude00', '😀', 'é', 'ש', 'cmd', '1', '.5', 'Kraken', '_x000D_', '<t>', '&amp;', ']]>'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('CSV', () => {
  test('[EX1] lines are as RFC 4180 has them, and a file begins as Excel reads UTF-8', () => {
    expect(line('a', 'b"c', 'd,e', 'f\ng', '')).toBe('a,"b""c","d,e","f\ng",\r\n');
    expect(csvOf([['ä'], ['b']])).toBe('\ufeffä\r\nb\r\n');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+2', "'+2"],
    ['-3', "'-3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['\u00a0\u200b=1', "'\u00a0\u200b=1"],
    ['\t1', "'\t1"],
    ['\nx', "'\nx"],
    ['\0=1', "'\0=1"],
    ['"=1+1"', `'"=1+1"`],
    ['" "@x', `'" "@x`],
    ['"abc', '"abc'],
    ['＝1+1', "'＝1+1"],
    ['a=b', 'a=b'],
    ['0x12-3', '0x12-3'],
    ['', ''],
  ])('[EX2] %j becomes %j', (text, safe) => expect(safeCell(text)).toBe(safe));

  test('[EX2] what a country with other separators would cut out begins no cell either', () => {
    expect(read(line('x', 'fee; =1+1\n-2;b'))).toEqual([['x', "fee;' =1+1\n'-2;b"]]);
    // such a program takes the quotes that stand for one for an empty cell with a formula behind it
    expect(line('a;"=1+1;')).toBe(`"a;'""=1+1;"\r\n`);
  });

  test('[EX2] no text starts a formula, wherever a program cuts it, and nothing but apostrophes is added to it', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
        const back = read(line('first', ...texts))[0]!.slice(1);
        expect(back.map((text) => text.replaceAll("'", ''))).toEqual(texts.map((text) => inUtf8(text).replaceAll("'", '')));
        for (const text of back) for (const piece of text.split(/[;\t\r\n]/)) expect(startsFormula(piece)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('[EX1] any text that is no formula comes back as it was', () => {
    const harmless = hostile.map((text) => `a${text.replaceAll(/[;\t\r\n]/g, ' ')}`);
    fc.assert(
      fc.property(fc.array(harmless, { minLength: 1 }), (texts) => {
        expect(read(line(...texts))).toEqual([texts.map(inUtf8)]);
      }),
      { numRuns: 500 },
    );
  });

  test('[EX3] numbers are numbers, with every digit; what only looks like one is text', () => {
    const cell = (text: string) => csvLine([{ text, isNumber: true }]);
    expect(cell('-1234.567890123456789012345678')).toBe('-1234.567890123456789012345678\r\n');
    expect(cell('-1+1')).toBe("'-1+1\r\n");
    expect(cell('')).toBe('\r\n');
  });

  test('[EX3] a copied table has one line a row, numbers as numbers', () => {
    expect(
      tsvOf([
        [
          { text: '-12.5', isNumber: true },
          { text: '\t=1', isNumber: false },
          { text: 'two\tcells\nno', isNumber: false },
        ],
      ]),
    ).toBe("-12.5\t' =1\ttwo cells no");
    // one that begins with a quote would take in all up to the next one
    const told = (text: string): string => tsvOf([[{ text, isNumber: false }]]);
    expect(['"abc', 'say "hi"', '"=1+1"'].map(told)).toEqual(['"""abc"', 'say "hi"', `'"=1+1"`]);
  });
});
