import type { Condition } from '#columns/conditions.ts';
import type { Sort } from '#columns/sorting.ts';
import type { Query } from '#columns/table.ts';
import type { Totals } from '#columns/totals.ts';
import { negated, sumOf } from '#domain/amounts.ts';
import { momentsOf } from '#domain/dates.ts';
import type { SortField, SortState } from '#domain/transaction-filter.ts';
import { flowOfType, typeName, typesOfCategories } from '#domain/transaction-types.ts';
import { searchedTexts } from '#replica/transaction-columns.ts';
import type { AssetTotals, GridQuery, GridResult } from './start.ts';

/** What ids are called, for sorting and searching by what the person sees. */
export interface Names {
  entities: ReadonlyMap<string, string>;
  accounts: ReadonlyMap<string, string>;
  custodians: ReadonlyMap<string, string>;
  /** Tickers. */
  securities: ReadonlyMap<string, string>;
}

type CodeColumn = 'account_id' | 'entity_id' | 'custodian_id' | 'security_id';
type Codes = (column: CodeColumn) => readonly (string | null)[];

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The rank of each code by the name behind it. */
function ranksOf(codes: readonly (string | null)[], names: ReadonlyMap<string, string>): number[] {
  const labels = codes.map((id) => (id === null ? '' : (names.get(id) ?? id)));
  const ordered = [...new Set(labels)].sort(collator.compare);
  const rank = new Map(ordered.map((label, index) => [label, index]));
  return labels.map((label) => rank.get(label) ?? 0);
}

const typeRanks = ranksOf(
  Array.from({ length: 255 }, (_, id) => String(id)),
  new Map(Array.from({ length: 255 }, (_, id) => [String(id), typeName(id)])),
);

/** The flags in the order a sort by flags looks at them. */
const flags = ['is_unidentified', 'unpriced_trx', 'updated_trx', 'manual_trx'] as const;

function sortOf({ field, ascending }: SortState, codes: Codes, names: Names): Sort[] {
  const descending = !ascending;
  const byName = (column: CodeColumn, named: ReadonlyMap<string, string>): Sort[] => [
    {
      column,
      descending,
      ranks: ranksOf(codes(column), named),
    },
  ];
  const sorts: Record<SortField, () => Sort[]> = {
    trx_date: () => [{ column: 'time', descending }],
    entity: () => byName('entity_id', names.entities),
    account: () => byName('account_id', names.accounts),
    custodian: () => byName('custodian_id', names.custodians),
    security: () => byName('security_id', names.securities),
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
    flags: () => flags.map((column) => ({ column, descending })),
  };
  return sorts[field]();
}

/** Ids whose name contains a text, whatever the case. */
function idsNamed(names: ReadonlyMap<string, string>, text: string): string[] {
  return [...names].filter(([, name]) => name.toLowerCase().includes(text)).map(([id]) => id);
}

function searchFor(text: string, names: Names): Condition {
  const wanted = text.toLowerCase();
  return {
    any: [
      ...searchedTexts.map((column) => ({ column, contains: text })),
      { column: 'security_id', in: idsNamed(names.securities, wanted) },
      { column: 'account_id', in: idsNamed(names.accounts, wanted) },
    ],
  };
}

/** A grid's filter and sort as a query of the column engine. */
export function columnQuery({ filter, sort, zone }: GridQuery, codes: Codes, names: Names): Query {
  const moments = momentsOf({ from: filter.from ?? undefined, to: filter.to ?? undefined }, zone);
  const where: Condition[] = [];
  if (moments.from !== undefined || moments.to !== undefined) where.push({ column: 'time', ...moments });
  if (filter.entity_id !== null) where.push({ column: 'entity_id', in: [filter.entity_id] });
  if (filter.account_ids.length > 0) where.push({ column: 'account_id', in: filter.account_ids });
  if (filter.security_ids.length > 0) where.push({ column: 'security_id', in: filter.security_ids });
  if (filter.custodian_ids.length > 0) where.push({ column: 'custodian_id', in: filter.custodian_ids });
  if (filter.category_ids.length > 0) where.push({ column: 'trx_type_id', in: typesOfCategories(filter.category_ids) });
  for (const flag of ['manual_trx', 'updated_trx', 'unpriced_trx', 'is_unidentified'] as const) {
    const is = filter[flag];
    if (is !== null) where.push({ flag, is });
  }
  const text = filter.text.trim();
  if (text !== '') where.push(searchFor(text, names));
  return { where, sort: sort ? sortOf(sort, codes, names) : [] };
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

/** Totals per asset and type, grouped as the totals row shows them; all exact. */
export function gridTotals(groups: readonly Totals[]): Pick<GridResult, 'assets' | 'usd'> {
  const byAsset = new Map<string | null, { count: number; quantity: Flows; usd: Flows }>();
  const usd = noFlows();
  for (const { by, count, sums } of groups) {
    const [securityId, typeId] = by as [string | null, number | null];
    const asset = byAsset.get(securityId) ?? { count: 0, quantity: noFlows(), usd: noFlows() };
    byAsset.set(securityId, asset);
    asset.count += count;
    const flow = flowOfType(typeId ?? -1);
    if (flow === 'none') continue;
    asset.quantity[flow].push(sums.quantity ?? '0');
    asset.usd[flow].push(sums.usd_value ?? '0');
    usd[flow].push(sums.usd_value ?? '0');
  }
  const assets = [...byAsset].map(([security_id, { count, quantity, usd: dollars }]): AssetTotals => {
    return { security_id, count, ...summed(quantity), usd_net: summed(dollars).net };
  });
  return { assets: assets.sort((a, b) => b.count - a.count), usd: summed(usd) };
}
