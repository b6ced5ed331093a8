import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysExpected, daysText, readDays, type DaySpan } from '#domain/date-text.ts';
import { isDay, timeZones, type TimeZone } from '#domain/dates.ts';

// a Saturday; in Los Angeles it is still the Friday before
const now = Date.parse('2026-11-21T03:00:00Z');

function read(text: string, zone: TimeZone = 'UTC'): DaySpan | string {
  const reading = readDays(text, now, zone);
  return reading.ok ? reading.days : reading.message;
}

const days = (from: string, to = from): DaySpan => ({ from, to });

describe('[TF6] days are read as people type them', () => {
  test.each<[string, DaySpan]>([
    ['after 01/15/2025', { from: '2025-01-16' }],
    ['> 01/15/2025', { from: '2025-01-16' }],
    ['since 1/15/2025', { from: '2025-01-15' }],
    ['from 2025-01-15', { from: '2025-01-15' }],
    ['before 01/15/2025', { to: '2025-01-14' }],
    ['until 01/15/2025', { to: '2025-01-15' }],
    ['<= 01/15/2025', { to: '2025-01-15' }],
    ['after 12/31/2024', { from: '2025-01-01' }],
    ['after 2024', { from: '2025-01-01' }],
    ['before Q2 2025', { to: '2025-03-31' }],
    ['on 01/15/2025', days('2025-01-15')],
    ['01/15/2025', days('2025-01-15')],
    ['1/5/25', days('2025-01-05')],
    ['2025-01-15', days('2025-01-15')],
    ['Jan 15, 2025', days('2025-01-15')],
    ['15 january 2025', days('2025-01-15')],
    ['01/01/2025-01/31/2025', days('2025-01-01', '2025-01-31')],
    ['01/31/2025 to 01/01/2025', days('2025-01-01', '2025-01-31')],
    ['2025-01-01 - 2025-01-31', days('2025-01-01', '2025-01-31')],
    ['2025-01-01..2025-01-31', days('2025-01-01', '2025-01-31')],
    ['from 01/01/2025 until 01/31/2025', days('2025-01-01', '2025-01-31')],
    ['between jan 2025 and mar 2025', days('2025-01-01', '2025-03-31')],
    ['01/2025', days('2025-01-01', '2025-01-31')],
    ['2024-02', days('2024-02-01', '2024-02-29')],
    ['May 2025', days('2025-05-01', '2025-05-31')],
    ['2025', days('2025-01-01', '2025-12-31')],
    ['2024-2025', days('2024-01-01', '2025-12-31')],
    ['Q1 2025', days('2025-01-01', '2025-03-31')],
    ['2025 q4', days('2025-10-01', '2025-12-31')],
    ['Q4 2025 - Q1 2026', days('2025-10-01', '2026-03-31')],
    ['today', days('2026-11-21')],
    ['yesterday', days('2026-11-20')],
    ['this month', days('2026-11-01', '2026-11-30')],
    ['previous month', days('2026-10-01', '2026-10-31')],
    ['Last month', days('2026-10-01', '2026-10-31')],
    ['last quarter', days('2026-07-01', '2026-09-30')],
    ['last 30 days', days('2026-10-23', '2026-11-21')],
    ['last 1 day', days('2026-11-21')],
    ['this year', days('2026-01-01', '2026-12-31')],
    ['last year', days('2025-01-01', '2025-12-31')],
    ['YTD', days('2026-01-01', '2026-11-21')],
    ['since last month', { from: '2026-10-01' }],
    ['all', {}],
    ['All dates', {}],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected));

  test('relative words follow the calendar of the zone', () => {
    expect(read('today', 'PST')).toEqual(days('2026-11-20'));
    expect(read('yesterday', 'JST')).toEqual(days('2026-11-20'));
    const newYear = (zone: TimeZone) => readDays('this year', Date.parse('2026-12-31T23:30:00Z'), zone);
    expect(newYear('CET')).toEqual({ ok: true, days: days('2027-01-01', '2027-12-31') });
    expect(newYear('UTC')).toEqual({ ok: true, days: days('2026-01-01', '2026-12-31') });
  });
});

const nonsense =
  '|  |after|since |99999|01/15/99999|year 99999|tomorrowish|last 0 days|last 99999 days|Q5 2025|Q0 2025|>|01/15|15|constructor|__proto__|toString 2025|constructor 2025|-|--| - |..|a-b|1-2-3-4|2025-01-15T00:00:00Z|<script>|NaN|after 12/31/2999|before 01/01/1900|decide 2025';
const hostile = ['-'.repeat(80), 'x'.repeat(10_000), 'to '.repeat(26)];
const refused = [...nonsense.split('|'), ...hostile];
test.each(refused.map((text) => ({ text })))('[TF7] refuses $text and says what was expected', ({ text }) => {
  expect(read(text)).toBe(daysExpected);
});

test.each([
  '02/31/2025',
  '2025-02-31',
  '13/13/2025',
  '00/10/2025',
  '01/00/2025',
  '1899',
  'after 02/30/2025',
  '01/01/2025-02/31/2025',
  'Feb 30 2025',
])('[TF7] %s is no day of the calendar, and that is said', (text) =>
  expect(read(text)).toBe(`The calendar has no such day. ${daysExpected}`),
);

test('[TF7] a day written before its month is told which comes first', () => {
  expect(read('31/12/2025')).toBe(`The month comes first. ${daysExpected}`);
});

const day = fc
  .date({ min: new Date('1901-01-01'), max: new Date('2998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const span: fc.Arbitrary<DaySpan> = fc.oneof(
  fc.constant({}),
  day.map((from) => ({ from })),
  day.map((to) => ({ to })),
  day.map((one) => days(one)),
  fc.tuple(day, day).map((two) => days(...(two.sort() as [string, string]))),
  fc
    .tuple(fc.integer({ min: 1901, max: 2998 }), fc.integer({ min: 0, max: 11 }), fc.constantFrom(1, 3, 12))
    .map(([year, month, length]) => {
      const first = month - (month % length);
      return days(
        new Date(Date.UTC(year, first, 1)).toISOString().slice(0, 10),
        new Date(Date.UTC(year, first + length, 0)).toISOString().slice(0, 10),
      );
    }),
);

test('[TF8] days are read back from their text, in every zone and at any time', () => {
  const zone = fc.constantFrom(...(Object.keys(timeZones) as TimeZone[]));
  fc.assert(
    fc.property(span, zone, fc.date({ noInvalidDate: true }), (one, inZone, at) => {
      expect(readDays(daysText(one), at.getTime(), inZone)).toEqual({ ok: true, days: one });
    }),
    { numRuns: 500 },
  );
});

test('[TF8] whatever is typed is refused or read to real days in order, and never throws', () => {
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'0123456789/-. qafterbefosincuntil'.split(''), ' to ', 'Q1 2025', '01/15/2025'), maxLength: 8 }),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const reading = readDays(text, now, 'UTC');
      if (!reading.ok) {
        expect(reading.message).toContain(daysExpected);
        return;
      }
      const { from, to } = reading.days;
      expect([from, to].filter((one) => one !== undefined && !isDay(one))).toEqual([]);
      if (from !== undefined && to !== undefined) expect(from <= to).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('[TF8] whole months, quarters and years are called by their names', () => {
  expect(daysText(days('2026-10-01', '2026-10-31'))).toBe('Oct 2026');
  expect(daysText(days('2025-01-01', '2025-03-31'))).toBe('Q1 2025');
  expect(daysText(days('2025-01-01', '2025-12-31'))).toBe('2025');
  expect(daysText(days('2025-01-15', '2025-02-03'))).toBe('01/15/2025 - 02/03/2025');
  expect(daysText({ from: '2025-01-16' })).toBe('since 01/16/2025');
});
