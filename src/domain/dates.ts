import { UTCDate } from '@date-fns/utc';
import { endOfMonth, format, startOfMonth, subMonths } from 'date-fns';

const hour = 3_600_000;

/** The ten zones of the specification: names for fixed offsets from UTC, in milliseconds; no daylight saving rule is applied. */
export const timeZones = {
  UTC: 0,
  PST: -8 * hour,
  PDT: -7 * hour,
  EST: -5 * hour,
  EDT: -4 * hour,
  CET: hour,
  CEST: 2 * hour,
  IST: 5.5 * hour,
  HKT: 8 * hour,
  JST: 9 * hour,
} as const;

export type TimeZone = keyof typeof timeZones;

export function isTimeZone(name: string): name is TimeZone {
  return Object.hasOwn(timeZones, name);
}

/** A moment as `MM/dd/yyyy HH:mm` in a zone; 24 hours, since `hh` without am or pm would hide the afternoon. */
export function formatDate(ms: number, zone: TimeZone): string {
  return format(new UTCDate(ms + timeZones[zone]), 'MM/dd/yyyy HH:mm');
}

/** A day as `MM/dd/yyyy` in a zone. */
export function formatDay(ms: number, zone: TimeZone): string {
  return format(new UTCDate(ms + timeZones[zone]), 'MM/dd/yyyy');
}

/** An hour and minute in a zone, `14:02`. */
export function formatTime(ms: number, zone: TimeZone): string {
  return format(new UTCDate(ms + timeZones[zone]), 'HH:mm');
}

/** A span of days, both ends included, as `yyyy-MM-dd`. */
export interface DayRange {
  from: string;
  to: string;
}

/**
 * The calendar month before the one `now` lies in, in a zone: the range lists start with.
 * @source specification section 1
 */
export function previousMonth(now: number, zone: TimeZone): DayRange {
  const month = subMonths(new UTCDate(now + timeZones[zone]), 1);
  return { from: format(startOfMonth(month), 'yyyy-MM-dd'), to: format(endOfMonth(month), 'yyyy-MM-dd') };
}

/** Start of the first day and last millisecond of the last day of a range in a zone, in UTC milliseconds. */
export function momentsOf(range: { from?: string | undefined; to?: string | undefined }, zone: TimeZone): { from?: number; to?: number } {
  const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`) - timeZones[zone];
  return {
    ...(range.from === undefined ? {} : { from: day(range.from) }),
    ...(range.to === undefined ? {} : { to: day(range.to) + 24 * hour - 1 }),
  };
}

/** Whether text is a real calendar day, `yyyy-MM-dd`, between the years 1900 and 2999. */
export function isDay(text: string): boolean {
  if (!/^(19|2\d)\d\d-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new UTCDate(ms).toISOString().startsWith(text);
}

/** First moment of the month before the one `now` lies in, UTC: what a first pull fetches before anything older. */
export function startOfPreviousMonth(now: number): number {
  return startOfMonth(subMonths(new UTCDate(now), 1)).getTime();
}
