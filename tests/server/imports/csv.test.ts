import { expect, test } from 'vitest';
import type { ParsedFile } from '#server/imports/imported-row.ts';
import { type ReadOptions, readImport } from '#server/imports/read-file.ts';
import { bytesOf, csvFile, csvHeaders } from '#tests/support/import-files.ts';

function read(text: string, options: ReadOptions = {}): ParsedFile {
  const reading = readImport(bytesOf(text), 'export.csv', options);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.file;
}

function refusalOf(text: string, options: ReadOptions = {}): string | null {
  const reading = readImport(bytesOf(text), 'export.csv', options);
  return reading.ok ? null : reading.reason;
}

const reasonsOf = (file: ParsedFile) => file.rows.map(({ result }) => (result.ok ? null : result.reason));
const keysOf = (file: ParsedFile) => file.rows.map(({ naturalKey }) => naturalKey);
const quantitiesOf = (file: ParsedFile) => file.rows.map(({ result }) => (result.ok ? result.drafts[0]?.quantity : null));
const header = ['date', 'asset', 'quantity'];
const row = (quantity: string) => ['2024-01-05', 'BTC', quantity];

test('[IM12] finds the profile from the header, whatever its case, blanks, byte order mark and empty first lines', () => {
  expect(read(csvFile(csvHeaders.pionexTransfers, [])).profileId).toBe('pionex_transfers');
  expect(read(csvFile(csvHeaders.trezor, [], ';'), { defaultSymbol: 'BTC' }).profileId).toBe('trezor');
  expect(
    read(`\ufeff\r\n\r\n${csvFile([' DATE ', '"Asset"', 'QUANTITY', 'Fee  Asset'], [[...row('1'), 'ETH']], '\t', '\r\n')}`),
  ).toMatchObject({
    profileId: 'generic',
    rows: [{ result: { ok: true } }],
  });
});

test('[IM12] a header that fits no profile is refused with the columns found and the profiles known', () => {
  const reason = refusalOf('Booked;Amount;Text\n1;2;3\n');
  expect(reason).toContain("Columns found: 'Booked', 'Amount', 'Text'");
  expect(reason).toContain('pionex_trades');
});

test('[IM12] a given profile is used, or refused with the columns it misses', () => {
  expect(read(csvFile(header, [row('1.5')], ';'), { profileId: 'generic' })).toMatchObject({
    profileId: 'generic',
    rows: [{ result: { ok: true } }],
  });
  expect(refusalOf(csvFile(header, []), { profileId: 'pionex_trades' })).toMatch(
    /'Received Quantity'.* missing\. Columns found: 'date', 'asset', 'quantity'$/,
  );
  expect(refusalOf(csvFile(header, []), { profileId: 'nope' })).toMatch(/^There is no import profile 'nope'; there are .*generic/);
});

test('[IM13] two equal rows are both kept, and the same file gives the same keys again', () => {
  const text = csvFile(header, [row('1'), row('1'), row('2')]);
  const keys = keysOf(read(text));
  expect(new Set(keys).size).toBe(3);
  expect(keysOf(read(text))).toEqual(keys);
  expect(keysOf(read(text.replaceAll('\n', '\r\n')))).toEqual(keys);
});

test('[IM13] a later, longer export gives old rows their old keys, with columns moved or added without text', () => {
  const [old] = keysOf(read(csvFile(header, [row('1')])));
  expect(keysOf(read(csvFile(header, [row('2'), row('1')])))).toContain(old);
  expect(keysOf(read(csvFile(['quantity', 'new', 'asset', 'date'], [['1', '', 'BTC', '2024-01-05']])))).toEqual([old]);
});

test('[IM14] reads quoted delimiters, doubled quotes and line breaks within quotes, and counts lines as an editor does', () => {
  const file = read(
    csvFile(
      [...header, 'description'],
      [[...row('1'), '"a ""b"", c"'], [...row('2'), '"two\r\nlines"'], ['', '', '', ''], row('3')],
      ',',
      '\r\n',
    ),
  );
  expect(file.rows.map(({ rowNumber }) => rowNumber)).toEqual([2, 3, 6]);
  expect(file.rows.map(({ payload }) => payload.description)).toEqual(['a "b", c', 'two\nlines', undefined]);
  expect(file.rows[1]?.text).toBe('2024-01-05,BTC,2,"two\nlines"');
});

test('[IM14] empty lines are no rows, are counted, and are no part of the next row', () => {
  const file = read(`${header.join(',')}\n\n   \n${row('1').join(',')}\n,,\n\n${row('2').join(',')}\n\n`);
  expect(file.rows.map(({ rowNumber, text }) => [rowNumber, text])).toEqual([
    [4, '2024-01-05,BTC,1'],
    [7, '2024-01-05,BTC,2'],
  ]);
});

test('[IM14] a row with cells too few or too many fails alone; empty cells too many are let pass', () => {
  const file = read(csvFile(header, [row('1'), ['2024-01-05', 'BTC'], [...row('2'), 'x'], [...row('3'), '', '']]));
  expect(reasonsOf(file)).toEqual([null, 'The row has 2 columns, the header has 3', 'The row has 4 columns, the header has 3', null]);
});

test('[IM14] a quote left open makes one bad row, not a bad rest of the file', () => {
  const open = 'A quote opens in this row and is not closed where it should be';
  expect(reasonsOf(read(csvFile(header, [row('1'), row('"2'), row('3')])))).toEqual([null, open, null]);
  expect(reasonsOf(read(csvFile(header, [row('1'), row('"2'), row('3'), ['"2024-01-06"', 'BTC', '4']])))).toEqual([null, open, null, null]);
  expect(reasonsOf(read(csvFile(header, [row('1'), row('"2'), ['2024-01-05', 'B"', '3']])))).toEqual([null, open, null]);
  const hopeless = read(
    csvFile(
      header,
      Array.from({ length: 60 }, () => row('"1""')),
    ),
  );
  expect(hopeless.rows.every(({ result }) => !result.ok)).toBe(true);
  expect(hopeless.rows.at(-1)?.text.split('\n').length).toBeGreaterThan(30);
});

test('[IM7] a bad row fails with a reason in plain words and keeps its text, and the others go on', () => {
  const file = read(
    csvFile(header, [
      ['2024-01-05', 'BTC', 'abc'],
      ['13/45/2022', 'BTC', '1'],
      ['', 'BTC', '1'],
      ['2024-01-05', '', '1'],
      row('0'),
      row('1'),
    ]),
  );
  expect(reasonsOf(file)).toEqual([
    "quantity 'abc' is not a number",
    "Date '13/45/2022' is not in the form yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss",
    'date is empty',
    'asset is empty',
    'quantity is zero: nothing moved',
    null,
  ]);
  expect(file.rows[0]).toMatchObject({
    rowNumber: 2,
    text: '2024-01-05,BTC,abc',
    payload: { date: '2024-01-05', asset: 'BTC', quantity: 'abc' },
  });
});

test('[IM7] names that come twice or not at all keep their cells apart in the payload', () => {
  const file = read(csvFile([...header, 'note', 'note', ''], [[...row('1'), 'a', 'b', 'c']]));
  expect(file.rows[0]?.payload).toMatchObject({ note: 'a', 'note (2)': 'b', 'column 6': 'c' });
});

test('[IM9] semicolons without a profile mean decimal commas', () => {
  const file = read(csvFile(header, [row('0,5'), row('1.234,5'), row('0.5'), row('1.234')], ';'));
  expect(file.profileId).toBe('generic_comma');
  expect(quantitiesOf(file)).toEqual(['0.5', '1234.5', null, null]);
});

test('[IM8] digits beyond a float survive', () => {
  expect(quantitiesOf(read(csvFile(header, [row('12345678901.123456789012345678'), row('1E-18'), row('"1,234,567.5"')])))).toEqual([
    '12345678901.123456789012345678',
    '0.000000000000000001',
    '1234567.5',
  ]);
});
