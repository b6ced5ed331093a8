import { UTCDate } from '@date-fns/utc';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfMonth } from 'date-fns/startOfMonth';
import { subMonths } from 'date-fns/subMonths';
import { subYears } from 'date-fns/subYears';

export const dayMs = 86_400_000;
const secondMs = 1000;

/** The three years the demo happens in, and how busy each of their days is. */
export interface Calendar {
  /** First moment, in milliseconds. */
  start: number;
  /** Nothing is later than this. */
  now: number;
  days: number;
  /** Number of the day a moment lies in, the first being 0. */
  dayOf(at: number): number;
  /** The moment by which a part (0 to 1) of all that happens has happened; whole seconds. */
  momentAt(part: number): number;
}

/** How much happens on a day: more as the years go by, less at weekends, most in the month under review and this one. */
function weightOf(at: number, age: number, previousMonth: number, thisMonth: number): number {
  const weekday = new UTCDate(at).getUTCDay();
  const month = at >= thisMonth ? 2 : at >= previousMonth ? 3 : 1;
  return (0.4 + 1.2 * age) * (weekday === 0 || weekday === 6 ? 0.55 : 1) * month;
}

/** Opens the calendar of the three years up to `now`, in milliseconds. */
export function openCalendar(now: number): Calendar {
  const today = startOfDay(new UTCDate(now)).getTime();
  // the day after: no row is older than three years
  const start = startOfDay(subYears(new UTCDate(today), 3)).getTime() + dayMs;
  const days = Math.round((today - start) / dayMs) + 1;
  const thisMonth = startOfMonth(new UTCDate(now)).getTime();
  const previousMonth = subMonths(new UTCDate(thisMonth), 1).getTime();

  const until = new Float64Array(days + 1);
  for (let day = 0; day < days; day++) {
    const at = start + day * dayMs;
    until[day + 1] = (until[day] ?? 0) + weightOf(at, day / days, previousMonth, thisMonth);
  }
  const total = until[days] ?? 1;

  function momentAt(part: number): number {
    const wanted = part * total;
    let low = 0;
    let high = days - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((until[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    const before = until[low] ?? 0;
    const within = (wanted - before) / ((until[low + 1] ?? total) - before);
    const length = low === days - 1 ? now - today : dayMs;
    const at = start + low * dayMs + within * length;
    return Math.floor(at / secondMs) * secondMs;
  }

  return { start, now, days, dayOf: (at) => Math.floor((at - start) / dayMs), momentAt };
}
