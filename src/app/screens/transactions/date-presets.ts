import { type DaySpan, readDays } from '#domain/date-text.ts';
import { previousMonth, type TimeZone } from '#domain/dates.ts';

/** Usual spans that move on with the calendar, by the word an address has for them; each is a text one could type. */
export const datePresets = {
  'previous-month': 'Previous month',
  'this-month': 'This month',
  'previous-quarter': 'Previous quarter',
  'this-quarter': 'This quarter',
  'previous-year': 'Previous year',
  'this-year': 'This year',
  'last-30-days': 'Last 30 days',
  all: 'All dates',
} as const;

export type DatePreset = keyof typeof datePresets;
export const presetNames = Object.keys(datePresets) as DatePreset[];

export function isDatePreset(text: string): text is DatePreset {
  return Object.hasOwn(datePresets, text);
}

/** The preset that somebody typed in its own words. */
export function typedPreset(text: string): DatePreset | undefined {
  const typed = text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return presetNames.find((name) => datePresets[name].toLowerCase() === typed);
}

/** The days of a preset as of a moment, in a zone. */
export function daysOfPreset(preset: DatePreset, now: number, zone: TimeZone): DaySpan {
  const reading = readDays(datePresets[preset], now, zone);
  return reading.ok ? reading.days : previousMonth(now, zone);
}
