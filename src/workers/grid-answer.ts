import type { Transaction } from '#contract/transactions.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import type { Breathe, ColumnSet, Selected } from '#replica/column-set.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { editsByRow, markOf } from '#replica/overlay.ts';
import type { ColumnSets } from './column-sets.ts';
import { columnOf, columnQuery, gridTotals, type NameMaps, ranksOfSets } from './grid-query.ts';
import type { FacetCount, GridQuery, GridRow, GridTotals, RowRange } from './start.ts';

/** What answers are made from. */
export interface AnswerPorts {
  replica: Replica;
  sets: ColumnSets;
  /** Lets whatever else waits go first. */
  breathe: Breathe;
}

/** A query's rows as they stand now, kept while they are looked at: scrolling and sums need no second filter. */
export interface GridAnswer {
  query: GridQuery;
  set: ColumnSet<Transaction>;
  selected: Selected<Transaction>;
  /** What the answer stands on; while it is the same, so is the answer. */
  stamp: string;
}

/** Runs a query over the sets it spans. */
export async function answerOf({ replica, sets }: AnswerPorts, query: GridQuery): Promise<GridAnswer> {
  const [clientId = ''] = query.clientIds;
  const [set, names] = await Promise.all([sets.transactions(clientId), namesFor(replica, query)]);
  const selected = await set.select(() => columnQuery(query, names, ranksOfSets([(column) => set.codes(column)], names)[0] ?? (() => [])));
  return { query, set, selected, stamp: set.stamp };
}

/** Whether the rows behind an answer are still the ones it was made from. */
export function isFresh({ set, stamp }: GridAnswer): boolean {
  return set.stamp === stamp;
}

/** Counts and exact sums of all rows of an answer. */
export function totalsOf({ selected: { selection } }: GridAnswer): GridTotals {
  const groups = selection.totals({ groupBy: ['security_id', 'trx_type_id'], sums: ['quantity', 'usd_value'] });
  return { count: selection.count, unpriced: selection.countOf([{ flag: 'unpriced_trx', is: true }]), ...gridTotals(groups) };
}

/** Rows of an answer, with the marks of the edits that wait. */
export async function rowsOf({ sets }: AnswerPorts, { set, selected }: GridAnswer, { offset, limit }: RowRange): Promise<GridRow[]> {
  const rows = await set.rowsOf(selected.selection.window(offset, limit), selected.overlay);
  const edits = editsByRow('transactions', sets.edits);
  return rows.map((row) => ({ ...row, pending: markOf(edits.get(row.id) ?? []) }));
}

/** How often each value of a field occurs under a query, the field's own filter left aside. */
export async function facetsOf(ports: AnswerPorts, query: GridQuery, field: ListField): Promise<FacetCount[]> {
  const fields = query.filter.fields.filter((filter) => filter.kind !== 'list' || filter.field !== field);
  const { selected } = await answerOf(ports, { ...query, filter: { ...query.filter, fields }, sort: [] });
  const facets = selected.selection.facets(columnOf(field));
  return facets.map(({ value, count }) => ({ value: value === null ? null : String(value), count }));
}

const noNames: NameMaps = { entities: new Map(), accounts: new Map(), custodians: new Map(), securities: new Map() };

async function namesFor(replica: Replica, { clientIds, filter, sort }: GridQuery): Promise<NameMaps> {
  // names are only read where something is sorted or searched by them
  if (sort.length === 0 && filter.text.trim() === '') return noNames;
  const perClient = await Promise.all(
    clientIds.map((clientId) => Promise.all([entitiesOf(replica, clientId), accountsOf(replica, { client_id: clientId })])),
  );
  const [custodians, securities] = await Promise.all([custodiansOf(replica), securitiesOf(replica)]);
  return {
    entities: new Map(perClient.flatMap(([entities]) => entities.map((row) => [row.id, row.entity_name]))),
    accounts: new Map(perClient.flatMap(([, accounts]) => accounts.map((row) => [row.id, row.account_name]))),
    custodians: new Map(custodians.map((row) => [row.id, row.custodian_name])),
    securities: new Map(securities.map((row) => [row.id, row.ticker])),
  };
}
