import { describe, expect, test } from 'vitest';
import {
  dayAtEndOf,
  dayIn,
  formatDate,
  isDay,
  momentsOf,
  previousMonth,
  startOfPreviousMonth,
  type TimeZone,
  timeZones,
} from '#domain/dates.ts';

describe('dates', () => {
  test('[DT1] there are the ten zones of the specification, each a fixed offset', () => {
    expect(Object.keys(timeZones)).toEqual(['UTC', 'PST', 'PDT', 'EST', 'EDT', 'CET', 'CEST', 'IST', 'HKT', 'JST']);
    expect(timeZones.IST / 3_600_000).toBe(5.5);
  });

  test('[DT2] a moment shows as MM/dd/yyyy HH:mm in the zone, afternoons told apart', () => {
    const moment = Date.parse('2026-09-14T20:05:00.000Z');
    expect(formatDate(moment, 'UTC')).toBe('09/14/2026 20:05');
    expect(formatDate(moment, 'PDT')).toBe('09/14/2026 13:05');
    expect(formatDate(moment, 'IST')).toBe('09/15/2026 01:35');
  });

  test('[DT3] the default range is the previous month as the zone has it, over the ends of years too', () => {
    expect(previousMonth(Date.parse('2026-01-15T00:00:00Z'), 'UTC')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(previousMonth(Date.parse('2024-03-31T23:00:00Z'), 'UTC')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    const edge = Date.parse('2026-09-30T23:30:00Z');
    expect(previousMonth(edge, 'UTC').from).toBe('2026-08-01');
    expect(previousMonth(edge, 'JST').from).toBe('2026-09-01');
  });

  test('[DT4] the days of a range are whole days of the zone', () => {
    expect(momentsOf({ from: '2026-09-01', to: '2026-09-01' }, 'UTC')).toEqual({
      from: Date.parse('2026-09-01T00:00:00Z'),
      to: Date.parse('2026-09-01T23:59:59.999Z'),
    });
    expect(momentsOf({ from: '2026-09-01' }, 'EST')).toEqual({ from: Date.parse('2026-09-01T05:00:00Z') });
    expect(momentsOf({}, 'UTC')).toEqual({});
  });

  test('[DT5] only real days are days', () => {
    expect(['2026-02-28', '2024-02-29', '1999-12-31'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '0001-01-01', '9999-01-01', '2026-1-1', '', 'yesterday', '2026-01-01T00:00'].some(isDay)).toBe(
      false,
    );
  });

  test('[DT6] a first pull starts with the month before this one', () => {
    expect(new Date(startOfPreviousMonth(Date.parse('2026-03-31T12:00:00Z'))).toISOString()).toBe('2026-02-01T00:00:00.000Z');
  });

  test('[DT7] what is true as of the end of a UTC day leads to a list of another zone that has every row of that day', () => {
    expect(dayIn(Date.parse('2026-11-30T20:00:00Z'), 'JST')).toBe('2026-12-01');
    for (const zone of Object.keys(timeZones) as TimeZone[]) {
      const listed = momentsOf({ to: dayAtEndOf('2026-11-30', zone) }, zone).to ?? 0;
      const dayEnd = Date.parse('2026-11-30T23:59:59.999Z');
      expect(listed).toBeGreaterThanOrEqual(dayEnd);
      expect(listed - dayEnd).toBeLessThan(24 * 3_600_000);
    }
  });
});
