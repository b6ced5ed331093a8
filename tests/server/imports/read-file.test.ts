import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalSchema, instantSchema } from '#contract/wire.ts';
import { decodeFile } from '#server/imports/decode-file.ts';
import { importRowLimit, readImport } from '#server/imports/read-file.ts';
import { bytesOf, csvFile, csvHeaders, ofxFile } from '#tests/support/import-files.ts';

const refusalOf = (bytes: Uint8Array, name = 'file.csv') => {
  const reading = readImport(bytes, name, {});
  return reading.ok ? null : reading.reason;
};

test('[IM11] decodes by byte order mark, as UTF-8, by the declared encoding, else as Windows-1252', () => {
  const utf16be = Uint8Array.from(bytesOf('\ufeffdé', 'utf16le')).map((_, at, all) => all[at ^ 1] ?? 0);
  expect(decodeFile(bytesOf('\ufeffé'))).toEqual({ text: 'é', encoding: 'utf-8', isGuess: false });
  expect(decodeFile(bytesOf('\ufeffdé', 'utf16le'))).toEqual({ text: 'dé', encoding: 'utf-16le', isGuess: false });
  expect(decodeFile(utf16be)).toEqual({ text: 'dé', encoding: 'utf-16be', isGuess: false });
  expect(decodeFile(bytesOf('date,asset', 'utf16le')).text).toBe('date,asset');
  expect(decodeFile(bytesOf('CHARSET:1252\n\né')).text).toBe('CHARSET:1252\n\né');
  expect(decodeFile(bytesOf('CHARSET:1252\n\né', 'latin1'))).toEqual({
    text: 'CHARSET:1252\n\né',
    encoding: 'windows-1252',
    isGuess: false,
  });
  expect(decodeFile(new Uint8Array([...bytesOf('<?xml version="1.0" encoding="Shift_JIS"?>'), 0x83, 0x52])).text).toMatch(/コ$/);
  expect(decodeFile(bytesOf('é', 'latin1'))).toEqual({ text: 'é', encoding: 'windows-1252', isGuess: true });
});

test('[IM11] reads a file in UTF-16, and warns where the encoding was guessed', () => {
  const text = csvFile(csvHeaders.generic.slice(0, 4), [['2024-01-05', '', 'CAFÉ', '1']]);
  expect(readImport(bytesOf(`\ufeff${text}`, 'utf16le'), 'a.csv', {})).toMatchObject({
    ok: true,
    file: { warnings: [], rows: [{ result: { drafts: [{ symbol: 'CAFÉ' }] } }] },
  });
  expect(readImport(bytesOf(text, 'latin1'), 'a.csv', {})).toMatchObject({
    ok: true,
    file: { warnings: [expect.stringContaining('windows-1252')] },
  });
});

test('[IM23] tells OFX from CSV by content, not by name', () => {
  expect(readImport(bytesOf(ofxFile()), 'statement.csv', {})).toMatchObject({ ok: true, file: { format: 'ofx' } });
  expect(readImport(bytesOf(csvFile(csvHeaders.generic, [])), 'statement.ofx', {})).toMatchObject({ ok: true, file: { format: 'csv' } });
});

test('[IM23] refuses empty files, other kinds of file and junk in plain words', () => {
  expect(refusalOf(bytesOf(''))).toBe('The file file.csv is empty');
  expect(refusalOf(bytesOf(' \n\ufeff\n'))).toBe('The file file.csv is empty');
  expect(refusalOf(bytesOf('PK\u0003\u0004rest'))).toMatch(/zip or Excel file/);
  expect(refusalOf(bytesOf('%PDF-1.7'))).toMatch(/a PDF/);
  expect(refusalOf(bytesOf('<!DOCTYPE html><html><body>Please sign in'))).toMatch(/a web page/);
  expect(refusalOf(Uint8Array.from({ length: 999 }, (_, at) => ((at * 7919) % 255) + 1))).toBe('The file file.csv is not a text file');
  expect(refusalOf(bytesOf('date,asset,quantity\n2024-01-05,B\u0000,1'))).toBe('The file file.csv is not a text file');
  expect(refusalOf(bytesOf(','.repeat(1_000_000)))).toBe('The first line of the file is too long to be the names of columns');
});

test('[IM23] refuses more rows than the limit', () => {
  const one = '2024-01-05,BTC,x\n';
  expect(refusalOf(bytesOf(`date,asset,quantity\n${one.repeat(importRowLimit + 1)}`))).toBe(
    'The file has more than 200000 rows; split it into smaller ones',
  );
  const head = ofxFile({ rows: [] }).split('</BANKTRANLIST>')[0] ?? '';
  expect(refusalOf(bytesOf(head + '<STMTTRN>'.repeat(importRowLimit + 5)))).toBe(
    'The file has more than 200000 transactions; split it into smaller ones',
  );
});

test('[IM22] openings that are never closed do not make a file slow to read', () => {
  const before = performance.now();
  readImport(bytesOf(`<OFX><STMTRS>${'<![CDATA[<!--<?'.repeat(100_000)}`), 'a', {});
  readImport(bytesOf(`date,asset,quantity\n${'x,"a""\n'.repeat(100_000)}`), 'a', {});
  expect(performance.now() - before).toBeLessThan(10_000);
});

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '2024-01-05',
      '3/1/2022 9:05',
      '20240105',
      '2022/11/12 08:57:01',
      'BTC',
      '1',
      '-1e-9',
      '0',
      '1 ETH',
      '1E400',
      'DEPOSIT',
      'DONE',
      '',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"',
      '\r\n',
      ';',
      '__proto__',
      '<![CDATA[',
      ']]>',
      '<!--',
      '&#xD800;&#0;',
      '</OFX>',
      '<STMTTRN>',
      '1,234',
      '[-5',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const csvLike = fc
  .constantFrom(...Object.values(csvHeaders))
  .chain((header) =>
    fc
      .tuple(
        fc.array(fc.array(word, { minLength: header.length - 1, maxLength: header.length }), { maxLength: 8 }),
        fc.constantFrom(',', ';', '\t'),
      )
      .map(([rows, delimiter]) => csvFile(header, [...rows, ...rows], delimiter)),
  );
const ofxLike = fc
  .array(fc.record({ FITID: word, TRNAMT: word, DTPOSTED: word, NAME: word }, { requiredKeys: [] }), { maxLength: 8 })
  .map((rows) => ofxFile({ rows }));
/** Files with good rows, bad rows and equal rows, some of them cut off. */
const nearlyFile = fc
  .tuple(fc.oneof(csvLike, ofxLike), fc.nat(), fc.boolean())
  .map(([text, at, isCut]) => (isCut ? text.slice(0, at % (text.length + 1)) : text));

test.each([
  ['text', fc.string({ unit: 'binary', maxLength: 300 }).map((text) => bytesOf(text))],
  ['bytes', fc.uint8Array({ maxLength: 300 })],
  ['nearly a file', nearlyFile.map((text) => bytesOf(text))],
])('[IM22] any %s is read or refused, never thrown at; processed is ok and failed; keys are unique and drafts fit the wire', (_, files) => {
  fc.assert(
    fc.property(files, fc.string(), (bytes, name) => {
      const reading = readImport(bytes, name, { defaultSymbol: 'BTC' });
      const rows = reading.ok ? reading.file.rows : [];
      if (!reading.ok) expect(reading.reason).not.toBe('');
      const good = rows.flatMap(({ result }) => (result.ok ? [result.drafts] : []));
      const bad = rows.flatMap(({ result }) => (result.ok ? [] : [result.reason]));
      expect(good.length + bad.length).toBe(rows.length);
      expect(bad).not.toContain('');
      expect(new Set(rows.map(({ naturalKey }) => naturalKey)).size).toBe(rows.length);
      expect(JSON.stringify(rows)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      for (const drafts of good) {
        expect(new Set(drafts.map(({ key }) => key)).size).toBe(drafts.length);
        for (const { quantity, trxDate, symbol } of drafts) {
          expect(decimalSchema.parse(quantity)).toMatch(/[1-9]/);
          expect(quantity.startsWith('-')).toBe(false);
          expect(instantSchema.parse(trxDate)).toMatch(/\.\d{3}Z$/);
          expect(symbol).not.toBe('');
        }
      }
    }),
    { numRuns: 400 },
  );
});
