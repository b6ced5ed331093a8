import type { Condition } from '#columns/conditions.ts';
import type { Sort } from '#columns/sorting.ts';
import type { Query } from '#columns/query.ts';
import type { Facet, Totals } from '#columns/totals.ts';
import { folded } from '#columns/utf8.ts';
import { negated, sumOf } from '#domain/amounts.ts';
import { momentsOf } from '#domain/dates.ts';
import { partOfAll } from '#domain/hash-list.ts';
import type { AmountRange, FieldFilter, ListField, SortField, SortState, TextField } from '#domain/transaction-filter.ts';
import { typeName, typesOfCategories } from '#domain/transaction-types.ts';
import { matchStates } from '#contract/transaction-codes.ts';
import { flows, matchStateCode, searchedTexts } from '#replica/transaction-columns.ts';
import type { AssetTotals, FacetCount, GridQuery, GridTotals } from './start.ts';

/** What ids are called, for sorting and searching by what the person sees. */
export interface NameMaps {
  entities: ReadonlyMap<string, string>;
  accounts: ReadonlyMap<string, string>;
  custodians: ReadonlyMap<string, string>;
  /** Tickers. */
  securities: ReadonlyMap<string, string>;
}

export const codeColumns = ['account_id', 'entity_id', 'custodian_id', 'security_id'] as const;
export type CodeColumn = (typeof codeColumns)[number];
/** The strings behind the codes of a set's columns. */
export type Codes = (column: CodeColumn) => readonly (string | null)[];
/** The rank of each code by the name behind it; the same in all sets of a query, so that their rows can be merged. */
export type Ranks = (column: CodeColumn) => number[];

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const namesOf = {
  account_id: 'accounts',
  entity_id: 'entities',
  custodian_id: 'custodians',
  security_id: 'securities',
} as const satisfies Record<CodeColumn, keyof NameMaps>;

/** How the codes of each of some sets rank among those of all of them. */
export function ranksOfSets(sets: readonly Codes[], names: NameMaps): Ranks[] {
  const orders = new Map<CodeColumn, Map<string, number>>();
  const label = (column: CodeColumn, id: string | null): string => (id === null ? '' : (names[namesOf[column]].get(id) ?? id));
  const orderOf = (column: CodeColumn): Map<string, number> => {
    const known = orders.get(column);
    if (known) return known;
    const labels = new Set(sets.flatMap((codes) => codes(column).map((id) => label(column, id))));
    const order = new Map([...labels].sort(collator.compare).map((each, rank) => [each, rank]));
    orders.set(column, order);
    return order;
  };
  return sets.map((codes) => (column) => codes(column).map((id) => orderOf(column).get(label(column, id)) ?? orderOf(column).size));
}

const typeRanks = (() => {
  const labels = Array.from({ length: 255 }, (_, id) => typeName(id));
  const order = new Map([...new Set(labels)].sort(collator.compare).map((each, rank) => [each, rank]));
  return labels.map((each) => order.get(each) ?? 0);
})();

function sortOf({ field, ascending }: SortState, ranks: Ranks): Sort[] {
  const descending = !ascending;
  const byName = (column: CodeColumn): Sort[] => [{ column, descending, ranks: ranks(column) }];
  const sorts: Record<SortField, () => Sort[]> = {
    trx_date: () => [{ column: 'time', descending }],
    entity: () => byName('entity_id'),
    account: () => byName('account_id'),
    custodian: () => byName('custodian_id'),
    security: () => byName('security_id'),
    type: () => [{ column: 'trx_type_id', descending, ranks: typeRanks }],
    match_state: () => [{ column: 'match_state', descending }],
    quantity: () => [{ column: 'quantity', descending }],
    price: () => [{ column: 'price', descending }],
    usd_value: () => [{ column: 'usd_value', descending }],
    fee_quantity: () => [{ column: 'fee_quantity', descending }],
    fee_usd: () => [{ column: 'fee_usd', descending }],
    tx_hash: () => [{ column: 'tx_hash', descending }],
    from_address: () => [{ column: 'from_address', descending }],
    to_address: () => [{ column: 'to_address', descending }],
    description: () => [{ column: 'description', descending }],
    // the flag that most needs a person comes first
    flags: () => (['is_unidentified', 'unpriced_trx', 'updated_trx', 'manual_trx'] as const).map((column) => ({ column, descending })),
  };
  return sorts[field]();
}

/** Ids whose name contains one of some texts, whatever the case. */
function idsNamed(names: ReadonlyMap<string, string>, texts: readonly string[]): string[] {
  return [...names].filter(([, name]) => texts.some((text) => folded(name).includes(text))).map(([id]) => id);
}

const sigmas = ['σ', 'ς'];

/** A text as it may be within another: which sigma stands at either end of it depends on letters around that were not typed. */
function withinOthers(text: string): string[] {
  const lower = text.toLowerCase();
  const [first, last] = [lower.charAt(0), lower.charAt(lower.length - 1)];
  if (!sigmas.includes(first) && !sigmas.includes(last)) return [text];
  const heads = sigmas.includes(first) ? sigmas.map((sigma) => sigma + lower.slice(1)) : [lower];
  if (lower.length < 2 || !sigmas.includes(last)) return heads;
  return heads.flatMap((head) => sigmas.map((sigma) => head.slice(0, -1) + sigma));
}

/** A text as columns have it: composed since they are made so, and in either form, or as it was typed, where they were made before. */
function storedForms(text: string): string[] {
  const plain = text.toLowerCase();
  const [composed, apart] = [folded(text), plain.normalize('NFD')];
  // some letters have no composed form, and are others than they were
  if (composed === apart) return composed === plain ? [text] : [composed, plain];
  return [composed, apart];
}

/** A column contains a text, however its letters are composed and, of a hash or an address, with or without `0x`. */
function textConditions(column: TextField, text: string): Condition[] {
  const part = column === 'description' ? text : partOfAll(text);
  return storedForms(part)
    .flatMap(withinOthers)
    .map((contains) => ({ column, contains }));
}

function searchFor(text: string, names: NameMaps): Condition {
  const wanted = withinOthers(folded(text));
  return {
    any: [
      ...searchedTexts.flatMap((column) => textConditions(column, text)),
      { column: 'security_id', in: idsNamed(names.securities, wanted) },
      { column: 'account_id', in: idsNamed(names.accounts, wanted) },
    ],
  };
}

const listColumns = {
  account: 'account_id',
  security: 'security_id',
  custodian: 'custodian_id',
  type: 'trx_type_id',
  match_state: 'match_state',
} as const satisfies Record<ListField, string>;

/** The column behind a field one picks values of. */
export function columnOf(field: ListField): (typeof listColumns)[ListField] {
  return listColumns[field];
}

function listValues(field: ListField, values: readonly string[]): (string | number | null)[] {
  if (field === 'type') return typesOfCategories(values.map(Number));
  if (field === 'match_state') return values.map((state) => matchStateCode(matchStates.find((known) => known === state) ?? null));
  return values.map((id) => (id === '' ? null : id));
}

type Bound = 'atLeast' | 'atMost' | 'above' | 'below';
const mirror = { atLeast: 'atMost', atMost: 'atLeast', above: 'below', below: 'above' } as const satisfies Record<Bound, Bound>;

function boundsOf(range: AmountRange): [Bound, string][] {
  return (Object.keys(mirror) as Bound[]).flatMap((bound) => (range[bound] === undefined ? [] : [[bound, range[bound]]]));
}

function amountConditions(column: string, range: AmountRange, not: boolean): Condition[] {
  const bounds = boundsOf(range);
  if (!range.size) return [{ column, ...Object.fromEntries(bounds), not }];
  // a size without a smallest one begins at zero; on the other side of zero every bound is mirrored
  const sized = range.atLeast === undefined && range.above === undefined ? [...bounds, ['atLeast', '0'] as [Bound, string]] : bounds;
  const sides = [sized, sized.map(([bound, amount]): [Bound, string] => [mirror[bound], negated(amount)])];
  const conditions = sides.map((side) => ({ column, ...Object.fromEntries(side), not }));
  return not ? conditions : [{ any: conditions }];
}

function textFilter(column: TextField, contains: string, not: boolean): Condition[] {
  const conditions = textConditions(column, contains);
  return conditions.length === 1 ? conditions.map((one) => ({ ...one, not })) : [{ any: conditions, not }];
}

function fieldConditions(filter: FieldFilter): Condition[] {
  switch (filter.kind) {
    case 'list':
      return [{ column: columnOf(filter.field), in: listValues(filter.field, filter.values), not: filter.not === true }];
    case 'text':
      return textFilter(filter.field, filter.contains, filter.not === true);
    case 'flag':
      return [{ flag: filter.field, is: filter.is }];
    case 'amount':
      return amountConditions(filter.field, filter.range, filter.not === true);
  }
}

/** The row's hash or id is one of those. */
function hasOneOf(hashes: readonly string[]): Condition {
  return { any: [{ key: { in: hashes } }, { column: 'tx_hash', oneOf: hashes }] };
}

/** Counts of a column's values as those of a field: a match state by its name, a type by its own number. */
export function facetCounts(field: ListField, facets: readonly Facet[]): FacetCount[] {
  const valueOf = (value: string | number | null): string | null => {
    if (typeof value !== 'number') return value;
    return field === 'match_state' ? (matchStates[value] ?? null) : String(value);
  };
  return facets.map(({ value, count }) => ({ value: valueOf(value), count }));
}

/** A list's filter and sort as a query of the column engine, for one of the sets it spans. */
export function columnQuery({ filter, sort, zone }: GridQuery, names: NameMaps, ranks: Ranks): Query {
  const moments = momentsOf({ from: filter.from ?? undefined, to: filter.to ?? undefined }, zone);
  const where: Condition[] = [];
  if (moments.from !== undefined || moments.to !== undefined) where.push({ column: 'time', ...moments });
  if (filter.entity_ids.length > 0) where.push({ column: 'entity_id', in: filter.entity_ids });
  where.push(...filter.fields.flatMap(fieldConditions));
  if (filter.hashes.length > 0) where.push(hasOneOf(filter.hashes));
  const text = filter.text.trim();
  if (text !== '') where.push(searchFor(text, names));
  return { where, sort: sort.flatMap((step) => sortOf(step, ranks)) };
}

interface Flows {
  in: string[];
  out: string[];
  fees: string[];
}

const noFlows = (): Flows => ({ in: [], out: [], fees: [] });

/** The sums of flows; amounts that leave are negative in the columns and positive here. */
function summed(flows: Flows): { in: string; out: string; fees: string; net: string } {
  const [inflow, out, fees] = [sumOf(flows.in), negated(sumOf(flows.out)), negated(sumOf(flows.fees))];
  return { in: inflow, out, fees, net: sumOf([inflow, negated(out), negated(fees)]) };
}

/** Totals per asset and flow, grouped as the totals row shows them; all exact. */
export function gridTotals(groups: readonly Totals[]): Pick<GridTotals, 'assets' | 'usd' | 'unknown'> {
  const byAsset = new Map<string | null, { count: number; quantity: Flows; usd: Flows }>();
  const usd = noFlows();
  let unknown = 0;
  for (const { by, count, sums } of groups) {
    const [securityId, flowCode] = by as [string | null, number | null];
    const asset = byAsset.get(securityId) ?? { count: 0, quantity: noFlows(), usd: noFlows() };
    byAsset.set(securityId, asset);
    asset.count += count;
    const flow = flows[flowCode ?? 0] ?? 'none';
    if (flow === 'unknown') unknown += count;
    if (flow === 'none' || flow === 'unknown') continue;
    asset.quantity[flow].push(sums.quantity ?? '0');
    asset.usd[flow].push(sums.usd_value ?? '0');
    usd[flow].push(sums.usd_value ?? '0');
  }
  const assets = [...byAsset].map(([security_id, { count, quantity, usd: dollars }]): AssetTotals => {
    return { security_id, count, ...summed(quantity), usd_net: summed(dollars).net };
  });
  return { assets: assets.sort((a, b) => b.count - a.count), usd: summed(usd), unknown };
}
