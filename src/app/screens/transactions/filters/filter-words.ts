import { amountLabel } from '#domain/amount-words.ts';
import { type DaySpan, daysText } from '#domain/date-text.ts';
import { previousMonth, type TimeZone, writtenDay } from '#domain/dates.ts';
import type { FieldFilter, ListField } from '#domain/transaction-filter.ts';
import { usualNumbers } from '#domain/number-style.ts';
import { nameOfValue } from '#domain/filter-words.ts';
import { fieldOf, keyOf } from '#app/screens/transactions/filter-fields.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';

/** What a person calls a value of a list field; the empty one is none. */
export function valueName(field: ListField, id: string, names: Names): string {
  if (id === '') return field === 'match_state' ? 'No match' : 'None';
  // before the names are here nothing can be called unknown
  const unknown = names.custodians.length === 0 ? '…' : 'Unknown';
  return nameOfValue(field, id, names) ?? (field === 'match_state' ? id : unknown);
}

/** Letters of names that fit a label; names beyond them are counted. */
const lettersShown = 25;

function listWords(values: readonly string[], name: (id: string) => string): string {
  const labels = values.slice(0, lettersShown).map(name);
  let fit = 1;
  while (fit < labels.length && labels.slice(0, fit + 1).join(', ').length <= lettersShown) fit += 1;
  return `${labels.slice(0, fit).join(', ')}${values.length > fit ? ` +${values.length - fit}` : ''}`;
}

/** A filter in words, in the parts a label sets apart. */
export interface FilterWords {
  label: string;
  operator: string;
  value: string;
}

/** A filter as its label reads: `Account | is not | Kraken, Ledger`. */
export function filterWords(filter: FieldFilter, names: Names, numbers = usualNumbers): FilterWords {
  const { label } = fieldOf(keyOf(filter));
  switch (filter.kind) {
    case 'list':
      return { label, operator: filter.not ? 'is not' : 'is', value: listWords(filter.values, (id) => valueName(filter.field, id, names)) };
    case 'amount':
      return { label, operator: filter.not ? 'not' : '', value: amountLabel({ range: filter.range }, numbers) };
    case 'text':
      return { label, operator: filter.not ? 'does not contain' : 'contains', value: filter.contains };
    case 'flag':
      return { label, operator: '', value: filter.is ? 'only' : 'left out' };
  }
}

/** Days as their label reads; the month the list starts with is named as such. */
export function daysLabel(days: DaySpan): string {
  return days.from === undefined && days.to === undefined ? 'All dates' : daysText(days);
}

export function isUsualMonth(days: DaySpan, now: number, zone: TimeZone): boolean {
  const usual = previousMonth(now, zone);
  return days.from === usual.from && days.to === usual.to;
}

/** What days take in, to the day: `01/16/2025 and later`. */
export function daysMeaning({ from, to }: DaySpan): string {
  if (from === undefined) return to === undefined ? 'Every day there is' : `Up to ${writtenDay(to)}, that day included`;
  if (to === undefined) return `${writtenDay(from)} and later`;
  return from === to ? `The one day ${writtenDay(from)}` : `${writtenDay(from)} to ${writtenDay(to)}, both days included`;
}
