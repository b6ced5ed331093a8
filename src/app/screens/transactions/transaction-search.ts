import { type DayRange, formatDay, isDay, previousMonth, type TimeZone } from '#domain/dates.ts';
import { type FieldFilter, noFilter, sortFields, type SortState, type TransactionFilter } from '#domain/transaction-filter.ts';
import { typeCategories } from '#domain/transaction-types.ts';

/** The flags of a transaction one can ask for (`only`) or leave out (`not`). */
export const flagFilters = [
  { key: 'manual', field: 'manual_trx', label: 'Manual' },
  { key: 'updated', field: 'updated_trx', label: 'Updated' },
  { key: 'unpriced', field: 'unpriced_trx', label: 'Unpriced' },
  { key: 'unidentified', field: 'is_unidentified', label: 'Unidentified' },
] as const;
export type FlagKey = (typeof flagFilters)[number]['key'];
export type FlagChoice = 'only' | 'not';

/** The filter as the address holds it: plain text, lists with commas, absent where nothing is chosen. */
export interface TransactionSearch extends Partial<Record<FlagKey, FlagChoice>> {
  entity?: string;
  account?: string;
  security?: string;
  type?: string;
  custodian?: string;
  from?: string;
  to?: string;
  /** `all` for no date limit; absent with no `from` and `to` means the previous month. */
  dates?: 'all';
  q?: string;
  /** Fields with commas, the first one first; a minus before one is descending. */
  sort?: string;
}

type Reader = (text: string) => string | undefined;

const idPattern = /^[\w.:-]{1,64}$/;
/** A list is kept with what of it can be read; one that loses a part is told of all the same. */
const ids: Reader = (text) =>
  text
    .split(',')
    .filter((id) => idPattern.test(id))
    .join(',') || undefined;
const types: Reader = (text) =>
  text
    .split(',')
    .filter((id) => typeCategories.some((category) => String(category.id) === id))
    .join(',') || undefined;
const day: Reader = (text) => (isDay(text) ? text : undefined);
const flag: Reader = (text) => (text === 'only' || text === 'not' ? text : undefined);

const readers: Record<keyof TransactionSearch, Reader> = {
  entity: (text) => (idPattern.test(text) ? text : undefined),
  account: ids,
  security: ids,
  type: types,
  custodian: ids,
  from: day,
  to: day,
  dates: (text) => (text === 'all' ? text : undefined),
  q: (text) => (text.length <= 200 ? text : undefined),
  sort: (text) => sortText(stepsOf(text)) || undefined,
  manual: flag,
  updated: flag,
  unpriced: flag,
  unidentified: flag,
};

/** Reads an address's filter, whatever it holds: unknown names and values nobody can read are left out and named. */
export function readTransactionSearch(raw: Record<string, unknown>): { search: TransactionSearch; dropped: string[] } {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || value === '') continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const read = Object.hasOwn(readers, name) ? readers[name as keyof TransactionSearch](text) : undefined;
    if (read !== undefined) kept[name] = read;
    if (read !== text) dropped.push(name);
  }
  if (kept.from !== undefined && kept.to !== undefined && kept.from > kept.to) {
    delete kept.from;
    delete kept.to;
    dropped.push('from', 'to');
  }
  return { search: kept as TransactionSearch, dropped };
}

export function listOf(text: string | undefined): string[] {
  return text ? text.split(',') : [];
}

/** The calendar month `now` lies in, in a zone. */
export function monthOf(now: number, zone: TimeZone): DayRange {
  const [month = '01', , year = '1970'] = formatDay(now, zone).split('/');
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return { from: `${year}-${month}-01`, to: `${year}-${month}-${last}` };
}

/** The days an address asks for: its own, none for all dates, else the previous month. */
export function daysOf(search: TransactionSearch, now: number, zone: TimeZone): Partial<DayRange> {
  if (search.dates === 'all') return {};
  if (search.from === undefined && search.to === undefined) return previousMonth(now, zone);
  return { ...(search.from === undefined ? {} : { from: search.from }), ...(search.to === undefined ? {} : { to: search.to }) };
}

function stepsOf(text: string): SortState[] {
  return text.split(',').flatMap((part) => {
    const field = sortFields.find((known) => known === part.replace(/^-/, ''));
    return field ? [{ field, ascending: !part.startsWith('-') }] : [];
  });
}

/** An order as the address holds it. */
export function sortText(sort: readonly SortState[]): string | undefined {
  return sort.map(({ field, ascending }) => `${ascending ? '' : '-'}${field}`).join(',') || undefined;
}

/** The filter an address stands for. */
export function filterOf(search: TransactionSearch, entityId: string, now: number, zone: TimeZone): TransactionFilter {
  const days = daysOf(search, now, zone);
  const lists = (['account', 'security', 'type', 'custodian'] as const).flatMap((field): FieldFilter[] =>
    search[field] === undefined ? [] : [{ kind: 'list', field, values: listOf(search[field]) }],
  );
  const flags = flagFilters.flatMap(({ key, field }): FieldFilter[] =>
    search[key] === undefined ? [] : [{ kind: 'flag', field, is: search[key] === 'only' }],
  );
  return {
    ...noFilter,
    entity_ids: [entityId],
    from: days.from ?? null,
    to: days.to ?? null,
    fields: [...lists, ...flags],
    text: search.q ?? '',
  };
}

export function sortOf(search: TransactionSearch): SortState[] {
  return stepsOf(search.sort ?? '');
}

/** Whether anything beyond the entity and its default month narrows the list. */
export function isNarrowed({ entity: _entity, sort: _sort, dates: _dates, from: _from, to: _to, ...filters }: TransactionSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
