import { UTCDate } from '@date-fns/utc';
import type { TimeZoneName } from '#contract/organizations.ts';
import { endOfMonth } from 'date-fns/endOfMonth';
import { format } from 'date-fns/format';
import { startOfMonth } from 'date-fns/startOfMonth';
import { subMonths } from 'date-fns/subMonths';

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
} as const satisfies Record<TimeZoneName, number>;

export type TimeZone = keyof typeof timeZones;

export function isTimeZone(name: string): name is TimeZone {
  return Object.hasOwn(timeZones, name);
}

const dayMs = 24 * hour;
/** The years whose dates are reckoned here, 0001 to 9999, as milliseconds; others are left to the calendar library. */
const firstMs = -62_135_596_800_000;
const lastMs = 253_402_300_799_999;

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** `MM/dd/yyyy` of a number of days since 1970-01-01. @source Howard Hinnant, chrono-compatible low-level date algorithms */
function civilDay(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // the year of this reckoning begins in March
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${two(month)}/${two(day)}/${String(year).padStart(4, '0')}`;
}

/** A moment as `MM/dd/yyyy HH:mm` in a zone; 24 hours, since `hh` without am or pm would hide the afternoon. */
export function formatDate(ms: number, zone: TimeZone): string {
  const local = Math.trunc(ms) + timeZones[zone];
  if (!(local >= firstMs && local <= lastMs)) return format(new UTCDate(ms + timeZones[zone]), 'MM/dd/yyyy HH:mm');
  const days = Math.floor(local / dayMs);
  const minutes = Math.floor((local - days * dayMs) / 60_000);
  return `${civilDay(days)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A day as `MM/dd/yyyy` in a zone. */
export function formatDay(ms: number, zone: TimeZone): string {
  const local = Math.trunc(ms) + timeZones[zone];
  if (!(local >= firstMs && local <= lastMs)) return format(new UTCDate(ms + timeZones[zone]), 'MM/dd/yyyy');
  return civilDay(Math.floor(local / dayMs));
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

/** The day a moment lies in, in a zone, as `yyyy-MM-dd`. */
export function dayIn(ms: number, zone: TimeZone): string {
  return format(new UTCDate(ms + timeZones[zone]), 'yyyy-MM-dd');
}

/** The day of a zone that a day of UTC ends in: a list up to it, in that zone, lacks nothing of the UTC day. */
export function dayAtEndOf(utcDay: string, zone: TimeZone): string {
  return dayIn(momentsOf({ to: utcDay }, 'UTC').to ?? 0, zone);
}

/** A day `yyyy-MM-dd` as people here write it, `MM/dd/yyyy`. */
export function writtenDay(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
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
