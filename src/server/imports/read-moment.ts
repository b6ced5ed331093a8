import { UTCDate } from '@date-fns/utc';
import { parse } from 'date-fns/parse';
import { type TimeZone, timeZones } from '#domain/dates.ts';
import { quoted, type Reading, refused } from './imported-row.ts';

const minute = 60_000;
/** No clock on earth is further from UTC. */
const widestOffsetMinutes = 14 * 60;
const reference = new UTCDate(0);

/** A moment on a clock `offsetMinutes` ahead of UTC, from matched text; null when there is no such day or time. */
function momentOf(parts: readonly (string | undefined)[], offsetMinutes: number): string | null {
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts.slice(0, 6).map((part) => Number(part ?? 0));
  const ms = Number((parts[6] ?? '').padEnd(3, '0').slice(0, 3));
  const local = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, ms));
  // a day there is none of has rolled over into another month, an hour there is none of into another hour
  const real =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCHours() === hours &&
    local.getUTCMinutes() === minutes &&
    local.getUTCSeconds() === seconds;
  return real && Math.abs(offsetMinutes) <= widestOffsetMinutes ? inRange(local.getTime() - offsetMinutes * minute) : null;
}

/** A year outside 1900 to 2999 is a misread one (`22` taken for the year 22). */
function inRange(ms: number): string | null {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 2999 ? date.toISOString() : null;
}

function reading(moment: string | null, text: string, name: string): Reading<string> {
  return moment === null ? refused(`${name} ${quoted(text)} is not a real date`) : { ok: true, value: moment };
}

const isoForm = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** Reads `2024-01-05`, `2024-01-05 10:00` or `2024-01-05T10:00:00.123+02:00`; without an offset it is UTC. */
export function readIsoMoment(text: string, name = 'Date'): Reading<string> {
  const match = isoForm.exec(text);
  if (!match) return refused(`${name} ${quoted(text)} is not in the form yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss`);
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(match[8] ?? '');
  const minutes = offset ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) : 0;
  return reading(momentOf(match.slice(1, 8), minutes), text, name);
}

const ofxForm =
  /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(?:\[([+-]?)(\d{1,2})(?:([.:])(\d{1,2}))?(?::[^\]]*)?\])?$/;

/**
 * Reads a date of OFX: `20090401122017.000[-5:EST]`, `20131215`. The bracket is the offset from UTC in hours; without
 * it the time is UTC, and without a time it is midnight.
 * @source OFX 2.2, section 3.2.8
 */
export function readOfxMoment(text: string, name = 'Date'): Reading<string> {
  const match = ofxForm.exec(text);
  if (!match) return refused(`${name} ${quoted(text)} is not in the form YYYYMMDD or YYYYMMDDHHMMSS`);
  const [sign, hours = '0', mark, rest = ''] = match.slice(8);
  // `[5.5]` is half an hour, `[5:30]` thirty minutes
  const past = mark === '.' ? Number(`0.${rest || '0'}`) * 60 : Number(rest);
  const minutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + past);
  return reading(momentOf(match.slice(1, 8), minutes), text, name);
}

/**
 * Reads a date in the first of the forms that fits (date-fns patterns), on the clock of a zone.
 * @returns UTC with milliseconds, or a reason that shows the first form.
 */
export function readPatternMoment(text: string, forms: readonly string[], zone: TimeZone): Reading<string> {
  for (const form of forms) {
    const local = parse(text, form, reference).getTime();
    const moment = Number.isNaN(local) ? null : inRange(local - timeZones[zone]);
    if (moment !== null) return { ok: true, value: moment };
  }
  return refused(`Date ${quoted(text)} is not in the form ${forms[0] ?? ''}`);
}
