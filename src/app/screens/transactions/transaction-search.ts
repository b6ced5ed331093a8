import type { DaySpan } from '#domain/date-text.ts';
import { isDay, type TimeZone } from '#domain/dates.ts';
import { hashForms } from '#domain/hash-list.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import { type FieldFilter, sortFields, type SortState, type TransactionFilter } from '#domain/transaction-filter.ts';
import { type DatePreset, daysOfPreset, isDatePreset } from './date-presets.ts';
import { fieldText, isPart, readField } from './field-text.ts';
import { type FieldKey, fieldOf, filterFields, keyOf } from './filter-fields.ts';
import { listText, readList } from './list-text.ts';

/** The filter as the address holds it: plain text, absent where nothing is chosen. Fields are as `field-text.ts` writes them. */
export interface TransactionSearch extends Partial<Record<FieldKey, string>> {
  /** The one entity shown; else `client`: all entities of a client, or `all` clients. */
  entity?: string;
  client?: string;
  from?: string;
  to?: string;
  /** A span that moves on with the calendar, `all` for no limit; absent with no `from` and `to` means the previous month. */
  dates?: DatePreset;
  q?: string;
  /** Pasted hashes and ids with commas, or `kept:` and the name of a list too long for an address, on this device. */
  hashes?: string;
  /** Fields with commas, the first one first; a minus before one is descending. */
  sort?: string;
}

export type SearchChange = Partial<Record<keyof TransactionSearch, string | undefined>>;

/** What was read of one value, and whether that was all of it. */
interface Reading {
  text?: string | undefined;
  isWhole: boolean;
}
type Reader = (text: string) => Reading;

const idPattern = /^[\w.:-]{1,64}$/;
export const keptHashes = /^kept:([a-z0-9]{6,40})$/;

const when =
  (fits: (text: string) => boolean): Reader =>
  (text) =>
    fits(text) ? { text, isWhole: true } : { isWhole: false };

function hashReader(text: string): Reading {
  if (keptHashes.test(text)) return { text, isWhole: true };
  const { choice, isWhole } = readList(text, (hash) => hash !== '');
  return choice === null || choice.not ? { isWhole: false } : { text: listText(choice), isWhole };
}

const fieldReaders = Object.fromEntries(
  filterFields.map((field): [FieldKey, Reader] => [
    field.key,
    (text) => {
      const { filter, isWhole } = readField(field, text);
      return { text: filter ? fieldText(filter) : undefined, isWhole };
    },
  ]),
) as Record<FieldKey, Reader>;

const readers: Record<keyof TransactionSearch, Reader> = {
  ...fieldReaders,
  entity: when((text) => idPattern.test(text)),
  client: when((text) => idPattern.test(text)),
  from: when(isDay),
  to: when(isDay),
  dates: when(isDatePreset),
  q: when(isPart),
  hashes: hashReader,
  sort: (text) => {
    const read = sortText(sortSteps(text, sortFields));
    return { text: read, isWhole: read === text };
  },
};

/** An address of an earlier version said the direction of its one sort apart. */
function withFormerWords(raw: Record<string, unknown>): Record<string, unknown> {
  const { order, ...rest } = raw;
  const isFormerSort = typeof rest.sort === 'string' && /^\w+$/.test(rest.sort) && (order === 'asc' || order === 'desc');
  if (!isFormerSort) return raw;
  return { ...rest, sort: order === 'desc' ? `-${String(rest.sort)}` : rest.sort };
}

/** Reads an address's filter, whatever it holds: unknown names and values nobody can read are left out and named. */
export function readTransactionSearch(raw: Record<string, unknown>): { search: TransactionSearch; dropped: string[] } {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(withFormerWords(raw))) {
    if (value === undefined || value === '') continue;
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const read = Object.hasOwn(readers, name) ? readers[name as keyof TransactionSearch](text) : { isWhole: false };
    if (read.text !== undefined) kept[name] = read.text;
    if (!read.isWhole) dropped.push(name);
  }
  if (kept.dates !== undefined) {
    // the word is what the list shows; days beside it would be said and not hold
    for (const end of ['from', 'to'].filter((name) => kept[name] !== undefined)) {
      delete kept[end];
      dropped.push(end);
    }
  }
  if (kept.from !== undefined && kept.to !== undefined && kept.from > kept.to) {
    delete kept.from;
    delete kept.to;
    dropped.push('from', 'to');
  }
  if (kept.entity !== undefined && kept.client !== undefined) {
    delete kept.client;
    dropped.push('client');
  }
  return { search: kept as TransactionSearch, dropped };
}

/** The days an address asks for: its own, or those of its word for a span, else the previous month. */
export function daysOf(search: TransactionSearch, now: number, zone: TimeZone): DaySpan {
  if (search.dates !== undefined) return daysOfPreset(search.dates, now, zone);
  if (search.from === undefined && search.to === undefined) return daysOfPreset('previous-month', now, zone);
  return { ...(search.from === undefined ? {} : { from: search.from }), ...(search.to === undefined ? {} : { to: search.to }) };
}

/** What of an address says these days and no others, whatever the calendar says later. */
export function daysChange(days: DaySpan): SearchChange {
  return { dates: days.from === undefined && days.to === undefined ? 'all' : undefined, from: days.from, to: days.to };
}

/** What of an address says a span that moves on with the calendar; the previous month, which is the usual one, says nothing. */
export function presetChange(preset: DatePreset): SearchChange {
  return { dates: preset === 'previous-month' ? undefined : preset, from: undefined, to: undefined };
}

/** The span an address says in a word, or in saying nothing; null where it says days. */
export function presetOf({ dates, from, to }: TransactionSearch): DatePreset | null {
  return dates ?? (from === undefined && to === undefined ? 'previous-month' : null);
}

export function sortOf(search: TransactionSearch): SortState[] {
  return sortSteps(search.sort, sortFields);
}

/** What an address says of one field. */
export function filterAt(search: TransactionSearch, key: FieldKey): FieldFilter | null {
  const text = search[key];
  return text === undefined ? null : readField(fieldOf(key), text).filter;
}

/** The change of an address that makes a filter hold, in the place of what it said of that field. */
export function filterChange(filter: FieldFilter): SearchChange {
  return { [keyOf(filter)]: fieldText(filter) };
}

type ListFilter = Extract<FieldFilter, { kind: 'list' }>;

/** A list with more values left out: those it left out before stay out, and of those it chose the others are left. */
function withoutMore(held: ListFilter, values: readonly string[]): ListFilter | null {
  if (held.not) return { ...held, values: [...new Set([...held.values, ...values])] };
  const left = held.values.filter((value) => !values.includes(value));
  // of a group of values one cannot be left out by itself
  return left.length === 0 || left.length === held.values.length ? null : { ...held, values: left };
}

/**
 * A change that leaves values out narrows what its field holds already; it never widens it.
 * @returns null where that cannot be said: a field holds one text or one span of amounts, and nothing would be left of a list.
 */
export function leavingOutMore(search: TransactionSearch, change: SearchChange): SearchChange | null {
  const narrowed: SearchChange = { ...change };
  for (const { key } of filterFields) {
    const [held, next] = [filterAt(search, key), filterAt(change as TransactionSearch, key)];
    if (!held || !next || next.kind === 'flag' || !next.not) continue;
    const filter = held.kind === 'list' && next.kind === 'list' ? withoutMore(held, next.values) : null;
    if (!filter) return null;
    Object.assign(narrowed, filterChange(filter));
  }
  return narrowed;
}

/** The pasted hashes an address holds itself. */
export function hashesIn(search: TransactionSearch): string[] {
  return search.hashes === undefined || keptHashes.test(search.hashes)
    ? []
    : [...(readList(search.hashes, () => true).choice?.values ?? [])];
}

/** Everything an address does not say by itself. */
export interface FilterScope {
  entityIds: readonly string[];
  /** The pasted hashes it stands for, its own or kept ones. */
  hashes: readonly string[];
  now: number;
  zone: TimeZone;
}

/** The filter an address stands for. */
export function filterOf(search: TransactionSearch, { entityIds, hashes, now, zone }: FilterScope): TransactionFilter {
  const days = daysOf(search, now, zone);
  return {
    entity_ids: entityIds,
    from: days.from ?? null,
    to: days.to ?? null,
    fields: filterFields.flatMap(({ key }) => filterAt(search, key) ?? []),
    text: search.q ?? '',
    hashes: hashes.flatMap(hashForms),
  };
}

/** The change that takes every filter away but the place and the dates. */
export const noFilters: SearchChange = Object.fromEntries(
  [...filterFields.map(({ key }) => key), 'q', 'hashes'].map((key) => [key, undefined]),
);

/** How many filters narrow the list, its place and dates not counted. */
export function filterCount(search: TransactionSearch): number {
  return Object.keys(noFilters).filter((key) => search[key as keyof TransactionSearch] !== undefined).length;
}

/** Whether anything beyond the place and its days narrows the list. */
export function isNarrowed(search: TransactionSearch): boolean {
  return filterCount(search) > 0;
}
