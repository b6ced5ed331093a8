import { type DayRange, formatDay, isDay, previousMonth, type TimeZone } from '#domain/dates.ts';
import { noFilter, type SortField, type SortState, sortFields, type TransactionFilter } from '#domain/transaction-filter.ts';
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
  sort?: SortField;
  order?: 'desc';
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
  sort: (text) => sortFields.find((field) => field === text),
  order: (text) => (text === 'desc' ? text : undefined),
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

function wanted(choice: FlagChoice | undefined): boolean | null {
  return choice === undefined ? null : choice === 'only';
}

/** The filter an address stands for. */
export function filterOf(search: TransactionSearch, entityId: string, now: number, zone: TimeZone): TransactionFilter {
  const days = daysOf(search, now, zone);
  return {
    ...noFilter,
    entity_id: entityId,
    account_ids: listOf(search.account),
    security_ids: listOf(search.security),
    category_ids: listOf(search.type).map(Number),
    custodian_ids: listOf(search.custodian),
    from: days.from ?? null,
    to: days.to ?? null,
    manual_trx: wanted(search.manual),
    updated_trx: wanted(search.updated),
    unpriced_trx: wanted(search.unpriced),
    is_unidentified: wanted(search.unidentified),
    text: search.q ?? '',
  };
}

export function sortOf(search: TransactionSearch): SortState | null {
  return search.sort === undefined ? null : { field: search.sort, ascending: search.order !== 'desc' };
}

/** Whether anything beyond the entity and its default month narrows the list. */
export function isNarrowed({
  entity: _entity,
  sort: _sort,
  order: _order,
  dates: _dates,
  from: _from,
  to: _to,
  ...filters
}: TransactionSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
