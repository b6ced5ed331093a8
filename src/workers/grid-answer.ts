import type { Condition } from '#columns/conditions.ts';
import type { Query } from '#columns/query.ts';
import { StaleSelectionError } from '#columns/errors.ts';
import { unite, type Union } from '#columns/union.ts';
import type { Transaction } from '#contract/transactions.ts';
import { type ListField, noFilter } from '#domain/transaction-filter.ts';
import type { ColumnSet, Selected } from '#replica/column-set.ts';
import { ofDatabase } from '#replica/held-rows.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { editsByRow, markOf } from '#replica/overlay.ts';
import type { Breathe } from '#replica/stored-set.ts';
import type { ColumnSets } from './column-sets.ts';
import { columnOf, columnQuery, facetCounts, gridTotals, type NameMaps, ranksOfSets } from './grid-query.ts';
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
  sets: readonly ColumnSet<Transaction>[];
  selected: readonly Selected<Transaction>[];
  /** The rows of all sets as one list. */
  rows: Union;
}

/** Runs a query over the sets it spans. @param where what must hold of its rows beside its own filter. */
export async function answerOf(
  { replica, sets: opened }: AnswerPorts,
  query: GridQuery,
  where: readonly Condition[] = [],
): Promise<GridAnswer> {
  const [sets, names] = await Promise.all([
    Promise.all(query.clientIds.map((clientId) => opened.transactions(clientId))),
    namesFor(replica, query),
  ]);
  const isSorted = query.sort.length > 0;
  const codesKnown = (): number => sets.reduce((sum, set) => sum + set.codesKnown, 0);
  for (;;) {
    const known = codesKnown();
    const ranks = ranksOfSets(
      sets.map((set) => (column) => set.codes(column)),
      names,
    );
    const columnsOf = (index: number): Query => {
      const own = columnQuery(query, names, ranks[index] ?? (() => []));
      return where.length === 0 ? own : { ...own, where: [...(own.where ?? []), ...where] };
    };
    const selected = await Promise.all(sets.map((set, index) => set.select(() => columnsOf(index))));
    // what came while texts were read has no place in an order of names that was made before
    const isOrdered = !isSorted || codesKnown() === known;
    const rows = isOrdered ? united(selected) : null;
    if (rows) return { query, sets, selected, rows };
  }
}

/** The rows selected in several sets as one; null where those of one were sorted into place while others were still read. */
function united(selected: readonly Selected<Transaction>[]): Union | null {
  try {
    return unite(selected.map(({ selection }) => selection));
  } catch (error) {
    if (!(error instanceof StaleSelectionError)) throw error;
    return null;
  }
}

/** The first rows of a query while its sets are still being read; null where they are not certain yet, or all is there. */
export async function firstRowsOf(ports: AnswerPorts, query: GridQuery, limit: number): Promise<GridRow[] | null> {
  if (query.sort.length > 0 || query.filter.text.trim() !== '') return null;
  const sets = await Promise.all(query.clientIds.map((clientId) => ports.sets.transactions(clientId)));
  if (sets.every((set) => set.isWhole)) return null;
  const selected = sets.flatMap((set) => set.first(() => columnQuery(query, noNames, () => []), limit) ?? []);
  if (selected.length < sets.length) return null;
  const rows = unite(selected.map(({ selection }) => selection));
  return rowsOf(ports, { sets, selected, rows }, { offset: 0, limit });
}

/** The same query's answer as its rows are now: an edit costs what it changes, not what it leaves alone. */
export async function answerAgain(ports: AnswerPorts, answer: GridAnswer): Promise<GridAnswer> {
  return (await selectedFrom(ports, answer, (set, before) => set.selectAgain(before))) ?? answerOf(ports, answer.query);
}

/** The same answer where its rows were sorted into place since; null where they are no more as they were. */
export function sameAnswer(ports: AnswerPorts, answer: GridAnswer): Promise<GridAnswer | null> {
  return selectedFrom(ports, answer, (set, before) => set.selectSame(before));
}

type SelectFrom = (set: ColumnSet<Transaction>, before: Selected<Transaction>) => Selected<Transaction> | null;

/** An answer from the one before; null where one of its sets has none, or is not in use any more. */
async function selectedFrom(ports: AnswerPorts, { query, sets, selected }: GridAnswer, select: SelectFrom): Promise<GridAnswer | null> {
  const again = sets.flatMap((set, index) => {
    const before = selected[index];
    return (before && select(set, before)) ?? [];
  });
  const isWhole = again.length === sets.length && (await areOpen(ports, sets));
  return isWhole ? { query, sets, selected: again, rows: unite(again.map(({ selection }) => selection)) } : null;
}

/** Whether these are still the sets in use: one that was mended is another. */
async function areOpen({ sets: opened }: AnswerPorts, sets: readonly ColumnSet<Transaction>[]): Promise<boolean> {
  const current = await Promise.all(sets.map((set) => opened.transactions(set.key.set)));
  return current.every((set, index) => set === sets[index]);
}

/** Whether the rows behind an answer are still the ones it was made from. */
export function isFresh({ sets, selected }: GridAnswer): boolean {
  return selected.every((each, index) => sets[index]?.isFresh(each));
}

/** Counts and exact sums of all rows of an answer. */
export function totalsOf({ rows }: GridAnswer): GridTotals {
  const groups = rows.totals({ groupBy: ['security_id', 'flow'], sums: ['quantity', 'usd_value'] });
  return { count: rows.count, unpriced: rows.countOf([{ flag: 'unpriced_trx', is: true }]), ...gridTotals(groups) };
}

/** Rows of an answer, with the marks of the edits that wait. */
export async function rowsOf(
  { sets: { edits } }: AnswerPorts,
  answer: Pick<GridAnswer, 'sets' | 'selected' | 'rows'>,
  { offset, limit }: RowRange,
): Promise<GridRow[]> {
  const window = answer.rows.window(offset, limit);
  const bySource = await Promise.all(
    answer.sets.map((set, source) => {
      const mine = (_: number, index: number): boolean => window.sources[index] === source;
      const own = { places: window.places.filter(mine), overlaid: window.overlaid.filter(mine) };
      return set.rowsOf(own, answer.selected[source]?.overlay ?? []);
    }),
  );
  const next = bySource.map((rows) => rows.values());
  const marks = editsByRow('transactions', edits);
  return Array.from(window.sources).flatMap((source) => {
    const row = next[source]?.next().value;
    const generation = answer.selected[source]?.generation ?? null;
    return row ? [{ ...ofDatabase(row, generation), pending: markOf(marks.get(row.id) ?? []) }] : [];
  });
}

/** Those rows of a query that have one of some ids, in its order. Found by their keys, each costs what one row does. */
export async function pickedOf(ports: AnswerPorts, query: GridQuery, rowIds: readonly string[]): Promise<GridRow[]> {
  const answer = await answerOf(ports, query, [{ key: { in: rowIds } }]);
  return rowsOf(ports, answer, { offset: 0, limit: answer.rows.count });
}

/** How often each value of a field occurs under a query, the field's own filter left aside. */
export async function facetsOf(ports: AnswerPorts, query: GridQuery, field: ListField): Promise<FacetCount[]> {
  const fields = query.filter.fields.filter((filter) => filter.kind !== 'list' || filter.field !== field);
  const { rows } = await answerOf(ports, { ...query, filter: { ...query.filter, fields }, sort: [] });
  return facetCounts(field, rows.facets(columnOf(field)));
}

/** Of the hashes a query looks for, those that no row of its entities has, whatever else it filters by. */
export async function missingOf(ports: AnswerPorts, { clientIds, filter, zone }: GridQuery): Promise<string[]> {
  const { hashes, entity_ids } = filter;
  if (hashes.length === 0) return [];
  const { rows } = await answerOf(ports, { clientIds, filter: { ...noFilter, entity_ids, hashes }, sort: [], zone });
  const isHash = rows.among('tx_hash', hashes);
  const isId = rows.among('key', hashes);
  return hashes.filter((_, index) => !isHash[index] && !isId[index]);
}

/** The tables names are read from. */
export const namedNouns = ['entities', 'accounts', 'custodians', 'securities'] as const;

/** Whether something is sorted or searched by names: else they are not read. */
export function isByNames({ filter, sort }: GridQuery): boolean {
  return sort.length > 0 || filter.text.trim() !== '';
}

const noNames: NameMaps = { entities: new Map(), accounts: new Map(), custodians: new Map(), securities: new Map() };

async function namesFor(replica: Replica, query: GridQuery): Promise<NameMaps> {
  if (!isByNames(query)) return noNames;
  const { clientIds } = query;
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
