import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, plainDecimal } from '#domain/amounts.ts';
import { columnName, cutMark, isShortNumber, longestText, looks, type SheetCell } from '#domain/sheet-cells.ts';
import { XlsxWriter } from '#domain/xlsx.ts';
import { joined, readWorkbook, type ReadCell } from '#tests/support/workbook.ts';

/** A workbook of one sheet with these rows, read back. */
function aSheet(rows: readonly (readonly SheetCell[])[]) {
  const parts: Uint8Array[] = [];
  const writer = new XlsxWriter(Date.UTC(2026, 8, 14), (bytes) => void parts.push(bytes));
  writer.startSheet({ name: 'R&D <1>', columns: [{ width: 12 }], hasHeading: true });
  writer.write(Buffer.from(rows.map((cells, index) => writer.row(index + 1, cells)).join('')));
  writer.endSheet(rows.length);
  writer.end();
  const book = readWorkbook(joined(parts));
  const sheet = book.sheets[0]!;
  return { ...book, sheet, losses: writer.losses, cell: (at: string, row = 1): ReadCell | undefined => sheet.rows.get(row)?.get(at) };
}

const text = (of: string): SheetCell => ({ text: of, isNumber: false });
const number = (of: string): SheetCell => ({ text: of, isNumber: true, look: 'quantity' });

/** What XML and UTF-8 can hold of a text. */
const wellFormed = (of: string): string =>
  of.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g, '\ufffd');

describe('XLSX', () => {
  test('[EX4] a workbook names its parts, keeps the heading in sight and offers a filter', () => {
    const { sheets, parts, part, sheet } = aSheet([[text('Head')], [text('a')]]);
    expect(sheets.map(({ name }) => name)).toEqual(['R&D <1>']);
    expect(parts.sort()).toEqual(
      [
        '[Content_Types].xml',
        '_rels/.rels',
        'xl/_rels/workbook.xml.rels',
        'xl/sharedStrings.xml',
        'xl/styles.xml',
        'xl/workbook.xml',
        'xl/worksheets/sheet1.xml',
      ].sort(),
    );
    for (const path of parts.filter((one) => one !== '[Content_Types].xml' && !one.endsWith('.rels')))
      expect(part('[Content_Types].xml')).toContain(`PartName="/${path}"`);
    expect(sheet.xml).toContain('state="frozen"');
    expect(sheet.xml).toContain('<autoFilter ref="A1:A2"/>');
  });

  test('[EX5] any text comes back, whatever it holds, and none is a formula', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('=1+1', '_x000D_', '_x', '\r\n', '\t', '\0', '\u001f', '\ud800', '\ufffe', '<v>', '&amp;', '"', '😀', ' '))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(
        fc.array(
          hostile.filter((one) => one !== ''),
          { maxLength: 20 },
        ),
        (texts) => {
          const { cell, sheet } = aSheet([texts.map(text)]);
          expect(texts.map((_, index) => cell(columnName(index))?.text)).toEqual(texts.map(wellFormed));
          expect(sheet.xml).not.toContain('<f>');
        },
      ),
      { numRuns: 60 },
    );
  });

  test('[EX5] text that a spreadsheet would run when it is edited is marked as text', () => {
    const { cell } = aSheet([[text('=1+1'), text('plain'), { ...text(' @x'), look: 'long' }]]);
    expect([cell('A')?.style, cell('B')?.style, cell('C')?.style]).toEqual([looks.formulaText, looks.plain, looks.formulaText]);
  });

  test('[EX6] any decimal comes back to the last digit: as a number where a double shows all of them, else as text', () => {
    const digits = fc.stringMatching(/^\d{1,30}$/);
    const amount = fc
      .tuple(fc.boolean(), digits, fc.option(digits))
      .map(([negative, whole, fraction]) => plainDecimal(`${negative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 100 }), (amounts) => {
        const { cell, losses } = aSheet(amounts.map((of) => [number(of)]));
        const read = amounts.map((_, index) => cell('A', index + 1)!);
        expect(read.map(({ text: digits }) => digits)).toEqual(amounts);
        expect(read.map(({ kind }) => kind === 'number')).toEqual(amounts.map(isShortNumber));
        const numbers = read.flatMap(({ kind, text: digits }) => (kind === 'number' ? [digits] : []));
        expect(losses.longNumbers).toBe(amounts.length - numbers.length);
        // fifteen digits are what a spreadsheet shows of a number
        expect(numbers.map((digits) => decimal(Number(digits).toPrecision(15)).toFixed())).toEqual(numbers);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ['123456789012345', true],
    ['1234567890123456', false],
    ['1000000000000000000000', true],
    ['0.000000000000000001', true],
    ['-0.1234567890123456', false],
    ['1e5', false],
    [`1${'0'.repeat(320)}`, false],
  ])('[EX6] %s is a number: %s', (of, isNumber) => expect(isShortNumber(of)).toBe(isNumber));

  test('[EX7] a date is the number of the wall clock, from the first day spreadsheets count right', () => {
    const at = (iso: string): SheetCell => ({ text: 'as text', isNumber: false, wallMs: Date.parse(iso) });
    const { cell } = aSheet([
      [
        at('2026-09-14T14:30:15.250Z'),
        at('1900-03-01T00:00:00Z'),
        at('1900-02-28T23:59:59Z'),
        at('9999-12-31T23:59:59Z'),
        at('+010000-01-01T00:00:00Z'),
      ],
    ]);
    expect(cell('A')).toEqual({ kind: 'number', style: looks.moment, text: String(46_279 + (14 * 3600 + 30 * 60 + 15) / 86_400) });
    expect(cell('B')?.text).toBe('61');
    expect([cell('C')?.kind, cell('D')?.kind, cell('E')?.kind]).toEqual(['text', 'number', 'text']);
  });

  test('[EX23] a moment in a workbook is its whole second: the last millisecond of a day is that day', () => {
    const last = { text: 'as text', isNumber: false, wallMs: Date.parse('2026-09-14T23:59:59.999Z') };
    const { cell } = aSheet([[last, { ...last, wallMs: Date.parse('2026-09-14T23:59:59Z') }]]);
    const seconds = (Number(cell('A')?.text) % 1) * 86_400;
    expect(cell('A')).toEqual(cell('B'));
    expect(Math.round(seconds)).toBe(86_399);
  });

  test('[EX8] a text longer than a cell holds is cut between characters, marked and counted', () => {
    const long = '😀'.repeat(20_000);
    const { cell, losses } = aSheet([[text(long), text(`x${long}`), text('x'.repeat(longestText))]]);
    for (const cut of [cell('A')!.text, cell('B')!.text]) {
      expect(cut.length).toBeLessThanOrEqual(longestText);
      expect(cut.endsWith(cutMark)).toBe(true);
      expect(cut).not.toContain('\ufffd');
    }
    expect(cell('C')?.text).toHaveLength(longestText);
    expect(losses.cutTexts).toBe(2);
  });

  test('[EX4] texts past those shared stand in their cells, columns past Z have two letters', () => {
    const rows = Array.from({ length: 200 }, (_, row) => Array.from({ length: 30 }, (__, column) => text(`${row} ${column}`)));
    const { cell } = aSheet(rows);
    expect(cell('A', 1)?.text).toBe('0 0');
    expect(cell('AD', 200)?.text).toBe('199 29');
    expect([columnName(25), columnName(26), columnName(701), columnName(702)]).toEqual(['Z', 'AA', 'ZZ', 'AAA']);
  });
});
