import { describe, expect, test } from 'vitest';
import { nextRun, scheduleWords } from '#domain/cron-schedule.ts';

const next = (schedule: string, after: string) => new Date(nextRun(schedule, Date.parse(after))).toISOString().replace(':00.000Z', 'Z');

describe('the schedule of a cron job', () => {
  test.each([
    ['20 3 * * *', '2026-09-14T03:19:59.999Z', '2026-09-14T03:20Z'],
    ['20 3 * * *', '2026-09-14T03:20:00.000Z', '2026-09-15T03:20Z'],
    ['10 * * * *', '2026-12-31T23:30:00.000Z', '2027-01-01T00:10Z'],
    ['*/15 * * * *', '2026-09-14T12:46:00.000Z', '2026-09-14T13:00Z'],
    ['5/20 9-17/4 * * *', '2026-09-14T13:05:00.000Z', '2026-09-14T13:25Z'],
    ['0 6,18 * * 1-5', '2026-09-11T18:00:00.000Z', '2026-09-14T06:00Z'],
    ['0 0 1 */3 *', '2026-09-14T00:00:00.000Z', '2026-10-01T00:00Z'],
    ['0 0 29 2 *', '2097-01-01T00:00:00.000Z', '2104-02-29T00:00Z'],
    // where both days are told either will do
    ['0 0 13 * 5', '2026-09-14T00:00:00.000Z', '2026-09-18T00:00Z'],
  ])('[JB1] %s is due after %s at %s', (schedule, after, due) => {
    expect(next(schedule, after)).toBe(due);
  });

  test.each([
    '',
    '* * * *',
    '60 * * * *',
    '5-3 * * * *',
    'a * * * *',
    '*/0 * * * *',
    '0 0 31 2 *',
    '0 0 0 * *',
    '-1 * * * *',
    '1, * * * *',
  ])('[JB2] "%s" is refused', (schedule) => {
    expect(() => nextRun(schedule, 0)).toThrow(/schedule|within|never due/);
  });

  test('[JB3] the usual schedules are told in words, with their zone', () => {
    expect(['20 3 * * *', '5 * * * *', '*/15 * * * *', '0 0 1 * *', '0 6 * * 1-5'].map(scheduleWords)).toEqual([
      'Every day at 03:20 UTC',
      'Every hour at :05',
      'Every 15 minutes',
      'On day 1 of each month at 00:00 UTC',
      '0 6 * * 1-5 (UTC)',
    ]);
  });
});
