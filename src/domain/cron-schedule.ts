/** The values each of the five fields may have, first and last. A weekday is counted from Sunday, 0. */
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const minuteMs = 60_000;
/** Days looked ahead: a 29th of February may be eight years away. */
const mostDays = 366 * 8;

/** The values of one field: `*`, `5`, `1-5`, each also with a step as in `*` `/15`, several parted by commas. */
function valuesOf(field: string, [first, last]: readonly [number, number]): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, from, to, step] = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (!/^[\d*]/.test(part) || (from === undefined && !part.startsWith('*'))) throw new Error(`"${part}" is no field of a schedule`);
    const low = from === undefined ? first : Number(from);
    const high = from === undefined ? last : to === undefined ? (step === undefined ? low : last) : Number(to);
    const by = step === undefined ? 1 : Number(step);
    if (low < first || high > last || low > high || by < 1) throw new Error(`"${part}" is not within ${first} to ${last}`);
    for (let value = low; value <= high; value += by) values.add(value);
  }
  return values;
}

/**
 * When a schedule is due next, in UTC milliseconds.
 * @param schedule minute, hour, day of the month, month and weekday, as cron has them, in UTC. Where both days are told either will do.
 * @param after the moment it must come after.
 * @throws where it is no schedule, or never due.
 */
export function nextRun(schedule: string, after: number): number {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== ranges.length) throw new Error(`"${schedule}" is no schedule of five fields`);
  const sets = ranges.map((range, index) => valuesOf(fields[index] ?? '', range));
  const [minutes, hours, days, months, weekdays] = sets as [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  const isEither = fields[2] !== '*' && fields[4] !== '*';
  const isDay = (day: Date): boolean => {
    const [ofMonth, ofWeek] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())];
    return months.has(day.getUTCMonth() + 1) && (isEither ? ofMonth || ofWeek : ofMonth && ofWeek);
  };
  const begin = new Date(after);
  begin.setUTCHours(0, 0, 0, 0);
  for (let ahead = 0; ahead <= mostDays; ahead += 1) {
    const day = new Date(begin.getTime());
    day.setUTCDate(day.getUTCDate() + ahead);
    if (!isDay(day)) continue;
    for (const hour of [...hours].sort((a, b) => a - b))
      for (const minute of [...minutes].sort((a, b) => a - b)) {
        const at = day.getTime() + (hour * 60 + minute) * minuteMs;
        if (at > after) return at;
      }
  }
  throw new Error(`"${schedule}" is never due`);
}

const clockWords = (hour: string, minute: string): string => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`;

/** A schedule in words, for the shapes people use: `Every hour at :10`, `Every day at 03:20 UTC`. Any other as it stands, in UTC. */
export function scheduleWords(schedule: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.trim().split(/\s+/);
  const isPlain = (field: string): boolean => /^\d+$/.test(field);
  const everyMinutes = /^\*\/(\d+)$/.exec(minute)?.[1];
  const isDaily = day === '*' && month === '*' && weekday === '*';
  if (isDaily && hour === '*' && everyMinutes) return `Every ${everyMinutes} minutes`;
  if (isDaily && hour === '*' && isPlain(minute)) return `Every hour at :${minute.padStart(2, '0')}`;
  if (isPlain(minute) && isPlain(hour)) {
    const at = clockWords(hour, minute);
    if (isDaily) return `Every day at ${at}`;
    if (isPlain(day) && month === '*' && weekday === '*') return `On day ${day} of each month at ${at}`;
  }
  return `${schedule} (UTC)`;
}
