import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAmount } from '#server/imports/read-amount.ts';
import { readIsoMoment, readOfxMoment, readPatternMoment } from '#server/imports/read-moment.ts';

const amount = (text: string, mark: 'point' | 'comma' | 'either' = 'point') => {
  const reading = readAmount('Amount', text, mark);
  return reading.ok ? reading.value : reading.reason;
};

test.each([
  ['12.340', '12.34'],
  ['+5', '5'],
  ['-.5', '-0.5'],
  ['−7.', '-7'],
  ['(1.25)', '-1.25'],
  ['1,234,567.89', '1234567.89'],
  ['1 234.5', '1234.5'],
  ["1'234.5", '1234.5'],
  ['1E-8', '0.00000001'],
  ['-2.5e+3', '-2500'],
  ['12345678901.123456789012345678', '12345678901.123456789012345678'],
  ['-0.00', '0'],
])('[IM8] reads the amount %s exactly', (text, value) => {
  expect(amount(text)).toBe(value);
});

test.each(['abc', 'NaN', 'Infinity', '-Infinity', '0x10', '1.2.3', '1,23', '12,34,567', '--1', '(1', '1)', '$5', '.', '1e', '1e5.5', '٣'])(
  '[IM8] refuses %s as not a number',
  (text) => {
    expect(amount(text)).toBe(`Amount '${text}' is not a number`);
  },
);

test('[IM8] refuses numbers nothing could hold, without writing them out', () => {
  expect(amount('1E999999')).toMatch(/too large or too small/);
  expect(amount('1e-99')).toMatch(/more digits than can be kept/);
  expect(amount('9'.repeat(61))).toMatch(/more digits than can be kept/);
  expect(amount('1'.repeat(100_000))).toMatch(/^Amount '1{60}…' is not a number$/);
  expect(amount('')).toBe('Amount is empty');
});

test('[IM8] any decimal of the wire reads back as itself', () => {
  const wire = fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{0,20}[1-9])?$/).filter((text) => text !== '-0');
  fc.assert(
    fc.property(wire, (text) => {
      expect(amount(text)).toBe(text);
    }),
  );
});

test('[IM9] takes the comma as decimal mark where the profile or OFX says so', () => {
  expect(amount('1.234,56', 'comma')).toBe('1234.56');
  expect(amount('0,5', 'comma')).toBe('0.5');
  expect(amount('0.5', 'comma')).toBe("Amount '0.5' is not a number with a decimal comma");
  expect(amount('-6,60', 'either')).toBe('-6.6');
  expect(amount('1,234.56', 'either')).toBe('1234.56');
  expect(amount('1.234,56', 'either')).toBe('1234.56');
  expect(amount('0,125', 'either')).toBe('0.125');
});

test('[IM9] refuses a number that means a thousandfold more read the other way', () => {
  expect(amount('1,234', 'either')).toMatch(/^Amount '1,234' can be read two ways/);
  expect(amount('1.234', 'comma')).toMatch(/^Amount '1.234' can be read two ways/);
  expect(amount('1,234', 'point')).toBe('1234');
});

test.each([
  ['0,125', 'point', ' with a decimal point'],
  ['0,123,456', 'point', ' with a decimal point'],
  ['(0 125)', 'point', ' with a decimal point'],
  ["00'125", 'point', ' with a decimal point'],
  ['0.125', 'comma', ' with a decimal comma'],
  ['-0.125.500', 'comma', ' with a decimal comma'],
  ['0.125,5', 'comma', ' with a decimal comma'],
  ['0,123,456', 'either', ''],
  ['0.123,456', 'either', ''],
] as const)('[IM24] refuses %s where the decimal mark is %s: no thousands begin with a zero', (text, mark, wanted) => {
  expect(amount(text, mark)).toBe(`Amount '${text}' is not a number${wanted}: thousands do not begin with a zero`);
});

test("[IM24] a fraction in the file's own mark begins with a zero as ever", () => {
  expect([amount('0.125'), amount('0,125', 'comma'), amount('0.123456'), amount('0012.5'), amount('100,000')]).toEqual([
    '0.125',
    '0.125',
    '0.123456',
    '12.5',
    '100000',
  ]);
});

test.each([
  '1 5',
  '0.12 5',
  "1'5",
  '12 34',
  '1 2345',
  '1 234,567',
  "1'234 567",
  "1,234'567",
  '1  234',
  '1\n234',
  "'1",
  "1'",
  '1. 5',
  '1 e5',
])('[IM25] refuses %j: a blank or an apostrophe parts three digits', (text) => {
  expect(amount(text)).toBe(`Amount '${text}' is not a number`);
});

test.each([
  ['1 234 567.5', 'point', '1234567.5'],
  ['1\u00a0234\u202f567', 'point', '1234567'],
  ['- 1’234’567,25', 'comma', '-1234567.25'],
  [' ( 12 345.5 ) ', 'point', '-12345.5'],
  ['1 234,567', 'either', '1234.567'],
] as const)('[IM25] reads %j where the decimal mark is %s', (text, mark, value) => {
  expect(amount(text, mark)).toBe(value);
});

test.each([
  ['20131215', '2013-12-15T00:00:00.000Z'],
  ['20240105120000', '2024-01-05T12:00:00.000Z'],
  ['202401051200', '2024-01-05T12:00:00.000Z'],
  ['20090401122017.000[-5:EST]', '2009-04-01T17:20:17.000Z'],
  ['20090401122017.123456[+5.5:IST]', '2009-04-01T06:50:17.123Z'],
  ['20090401002017[-3:30:NST]', '2009-04-01T03:50:17.000Z'],
  ['20240229235959[0:GMT]', '2024-02-29T23:59:59.000Z'],
])('[IM10] reads the OFX date %s as UTC', (text, moment) => {
  expect(readOfxMoment(text)).toEqual({ ok: true, value: moment });
});

test.each([
  ['2024-01-05', '2024-01-05T00:00:00.000Z'],
  ['2024-01-05 10:30', '2024-01-05T10:30:00.000Z'],
  ['2024-01-05T10:30:15.5+02:00', '2024-01-05T08:30:15.500Z'],
  ['2024-01-05 10:30:15 UTC', '2024-01-05T10:30:15.000Z'],
])('[IM10] reads the ISO date %s as UTC', (text, moment) => {
  expect(readIsoMoment(text)).toEqual({ ok: true, value: moment });
});

test('[IM10] reads a pattern on the clock of its zone', () => {
  expect(readPatternMoment('1/25/2022, 2:58:40 PM', ['M/d/yyyy, h:mm:ss a'], 'UTC')).toEqual({
    ok: true,
    value: '2022-01-25T14:58:40.000Z',
  });
  expect(readPatternMoment('2022/11/12 08:57:01', ['yyyy/MM/dd HH:mm:ss'], 'JST')).toEqual({ ok: true, value: '2022-11-11T23:57:01.000Z' });
});

test('[IM10] refuses days there are none of and shows the form asked for', () => {
  expect(readPatternMoment('13/45/2022', ['M/d/yyyy H:mm'], 'UTC')).toEqual({
    ok: false,
    reason: "Date '13/45/2022' is not in the form M/d/yyyy H:mm",
  });
  expect(readPatternMoment('2/27/22 12:09', ['M/d/yyyy H:mm'], 'UTC').ok).toBe(false);
  expect(readOfxMoment('20230229')).toEqual({ ok: false, reason: "Date '20230229' is not a real date" });
  expect(readOfxMoment('2023-02-28')).toEqual({ ok: false, reason: "Date '2023-02-28' is not in the form YYYYMMDD or YYYYMMDDHHMMSS" });
  expect(readIsoMoment('2024-13-01').ok).toBe(false);
  expect(readIsoMoment('2024-01-05 25:00').ok).toBe(false);
  expect(readIsoMoment('2024-01-05T10:00:00+23:00').ok).toBe(false);
});
