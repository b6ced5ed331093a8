import { UTCDate } from '@date-fns/utc';
import { addDays } from 'date-fns/addDays';
import { endOfMonth } from 'date-fns/endOfMonth';
import { endOfQuarter } from 'date-fns/endOfQuarter';
import { endOfYear } from 'date-fns/endOfYear';
import { format } from 'date-fns/format';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import { subDays } from 'date-fns/subDays';
import { subMonths } from 'date-fns/subMonths';
import { subQuarters } from 'date-fns/subQuarters';
import { subYears } from 'date-fns/subYears';
import { type DayRange, isDay, type TimeZone, timeZones, writtenDay } from './dates.ts';

/** Days from one on, up to one, or between two, both included; neither is all of them. `yyyy-MM-dd` */
export type DaySpan = Partial<DayRange>;

export type DaysReading = { ok: true; days: DaySpan } | { ok: false; message: string };

export const daysExpected = 'Write days such as 01/15/2025, after 01/15/2025, Q1 2025 or last 30 days';

const longestText = 80;
const dayOf = (date: Date): string => format(date, 'yyyy-MM-dd');
const monthNames = 'january february march april may june july august september october november december'.split(' ');

const units = {
  month: { start: startOfMonth, end: endOfMonth, back: subMonths },
  quarter: { start: startOfQuarter, end: endOfQuarter, back: subQuarters },
  year: { start: startOfYear, end: endOfYear, back: subYears },
} as const;
type Unit = keyof typeof units;

function whole(unit: Unit, date: Date): DayRange {
  return { from: dayOf(units[unit].start(date)), to: dayOf(units[unit].end(date)) };
}

const daysAgo: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);
const toDateWords: ReadonlyMap<string, Unit> = new Map([
  ['mtd', 'month'],
  ['qtd', 'quarter'],
  ['ytd', 'year'],
]);

/** Spans that move with the calendar: `today`, `this quarter`, `last 30 days`, `ytd`. */
function relativeSpan(text: string, today: Date): DayRange | null {
  const single = daysAgo.get(text);
  if (single !== undefined) return { from: dayOf(subDays(today, single)), to: dayOf(subDays(today, single)) };
  const days = /^(?:last|past) (\d{1,4}) days?$/.exec(text);
  if (days && Number(days[1]) > 0) return { from: dayOf(subDays(today, Number(days[1]) - 1)), to: dayOf(today) };
  const named = /^(this|last|previous) (month|quarter|year)$/.exec(text);
  if (named) return whole(named[2] as Unit, named[1] === 'this' ? today : units[named[2] as Unit].back(today, 1));
  const toDate = /^(month|quarter|year) to date$/.exec(text)?.[1] ?? toDateWords.get(text);
  return toDate ? { from: whole(toDate as Unit, today).from, to: dayOf(today) } : null;
}

interface Calendar {
  year: string;
  month?: number;
  day?: number;
}

/** What calendar words say, before asking whether there is such a day. */
function calendarOf(text: string): Calendar | null {
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (iso) return { year: iso[1] ?? '', month: Number(iso[2]), ...(iso[3] ? { day: Number(iso[3]) } : {}) };
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text);
  if (american)
    return { year: `${american[3]?.length === 2 ? '20' : ''}${american[3]}`, month: Number(american[1]), day: Number(american[2]) };
  const month = /^(\d{1,2})\/(\d{4})$/.exec(text);
  if (month) return { year: month[2] ?? '', month: Number(month[1]) };
  const named = /^(?:(\d{1,2}) )?([a-z]{3,9})\.?(?: (\d{1,2}))?,? (\d{4})$/.exec(text);
  const nameAt = named ? monthNames.findIndex((name) => name.startsWith(named[2] ?? '-')) : -1;
  if (!named || nameAt < 0 || (named[1] && named[3])) return /^\d{4}$/.test(text) ? { year: text } : null;
  const day = named[1] ?? named[3];
  return { year: named[4] ?? '', month: nameAt + 1, ...(day ? { day: Number(day) } : {}) };
}

/** The span of a calendar day, month, quarter or year; null for other words, and `unreal` where the calendar has no such day. */
function calendarSpan(text: string): DayRange | 'unreal' | null {
  const quarter = /^q([1-4])[ /-]?(\d{4})$/.exec(text) ?? /^(\d{4})[ /-]?q([1-4])$/.exec(text);
  const found = quarter
    ? {
        year: quarter.find((part) => part.length === 4 && /^\d+$/.test(part)) ?? '',
        month: 3 * Number(quarter.find((part) => part.length === 1)),
      }
    : calendarOf(text);
  if (!found) return null;
  const two = (part: number): string => String(part).padStart(2, '0');
  const first = `${found.year}-${two(found.month ?? 1)}-${two(found.day ?? 1)}`;
  if (!isDay(first)) return 'unreal';
  if (found.day !== undefined) return { from: first, to: first };
  return whole(quarter ? 'quarter' : found.month === undefined ? 'year' : 'month', new UTCDate(`${first}T00:00:00.000Z`));
}

const operators: Readonly<Record<string, 'after' | 'since' | 'before' | 'until' | 'on'>> = {
  after: 'after',
  '>': 'after',
  since: 'since',
  from: 'since',
  '>=': 'since',
  before: 'before',
  '<': 'before',
  until: 'until',
  till: 'until',
  through: 'until',
  to: 'until',
  '<=': 'until',
  on: 'on',
  in: 'on',
  '=': 'on',
};

const next = (day: string, by: number): string => dayOf(addDays(new UTCDate(`${day}T00:00:00.000Z`), by));

function bounded(operator: (typeof operators)[string], span: DayRange): DaySpan | null {
  const days: Record<typeof operator, DaySpan> = {
    after: { from: next(span.to, 1) },
    since: { from: span.from },
    before: { to: next(span.from, -1) },
    until: { to: span.to },
    on: span,
  };
  return Object.values(days[operator]).every(isDay) ? days[operator] : null;
}

/** Every way to cut a text in two at a word or sign that may stand between two days. */
function cuts(text: string): [string, string][] {
  const seams = [...text.matchAll(/ ?(?:\.{2,3}|…| to | until | through )\s?| ?- ?/g)];
  return seams.map((seam): [string, string] => [text.slice(0, seam.index), text.slice(seam.index + seam[0].length)]);
}

function between(one: DayRange, other: DayRange): DayRange {
  return { from: one.from < other.from ? one.from : other.from, to: one.to > other.to ? one.to : other.to };
}

function unreal(text: string): DaysReading {
  const [, month = '', day = ''] = /^(\d{1,2})\/(\d{1,2})\//.exec(text) ?? [];
  const isTurned = Number(month) > 12 && Number(day) <= 12;
  return { ok: false, message: `${isTurned ? 'The month comes first' : 'The calendar has no such day'}. ${daysExpected}` };
}

/**
 * Reads the days a person types: `after 01/15/2025`, `01/01/2025-01/31/2025`, `2025-01-15`, `Q1 2025`, `Jan 2025`, `2025`,
 * `last 30 days`, `previous month`, `all`. `after` and `before` leave the named day out, `since` and `until` take it in;
 * days in the wrong order are turned round. Relative words are those of the zone's calendar at `now`.
 */
export function readDays(typed: string, now: number, zone: TimeZone): DaysReading {
  const text = typed.toLowerCase().replace(/[−–—]/g, '-').replaceAll('≥', '>=').replaceAll('≤', '<=').replace(/\s+/g, ' ').trim();
  const refused: DaysReading = { ok: false, message: daysExpected };
  if (text === '' || typed.length > longestText) return refused;
  if (/^(all( dates| days| time)?|any( date| day| time)?)$/.test(text)) return { ok: true, days: {} };
  const today = new UTCDate(now + timeZones[zone]);
  const spanOf = (part: string): DayRange | 'unreal' | null => relativeSpan(part, today) ?? calendarSpan(part);
  const single = spanOf(text);
  if (single === 'unreal') return unreal(text);
  if (single) return { ok: true, days: single };
  const [, word = '', rest = ''] = /^(>=|<=|[<>=]|[a-z]+) ?(.*)$/.exec(text) ?? [];
  const operator = Object.hasOwn(operators, word) ? operators[word] : undefined;
  const named = operator === undefined ? null : spanOf(rest);
  if (named === 'unreal') return unreal(rest);
  if (operator !== undefined && named) {
    const days = bounded(operator, named);
    return days ? { ok: true, days } : refused;
  }
  for (const [left, right] of cuts(word === 'from' || word === 'between' ? rest.replace(' and ', ' to ') : text)) {
    const [one, other] = [spanOf(left), spanOf(right)];
    if (one === 'unreal' || other === 'unreal') return unreal(one === 'unreal' ? left : right);
    if (one && other) return { ok: true, days: between(one, other) };
  }
  return refused;
}

/** Days in the fewest words, whatever the date of today; `readDays` reads them back: `Oct 2026`, `Q1 2025`, `since 01/15/2025`, `all`. */
export function daysText({ from, to }: DaySpan): string {
  if (from === undefined) return to === undefined ? 'all' : `until ${writtenDay(to)}`;
  if (to === undefined) return `since ${writtenDay(from)}`;
  if (from === to) return writtenDay(from);
  const start = new UTCDate(`${from}T00:00:00.000Z`);
  const unit = (Object.keys(units) as Unit[]).find((one) => whole(one, start).from === from && whole(one, start).to === to);
  if (unit === 'month') return format(start, 'MMM yyyy');
  if (unit === 'quarter') return format(start, "'Q'Q yyyy");
  return unit === 'year' ? from.slice(0, 4) : `${writtenDay(from)} - ${writtenDay(to)}`;
}
