import { and, asc, desc, eq, getTableColumns, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '#contract/transactions.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { accounts } from '#server/database/tables/places.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { endOf, startOf } from './date-bounds.ts';
import { isEntityVisible, isOfVisibleEntity, type Needed, type Viewer, visibleEntityIds } from './visibility.ts';

const { natural_key: _key, raw_data_id: _raw, ...shownColumns } = getTableColumns(transactions);

/** A value as it is on the wire: decimals as text with every digit, a moment in UTC to the millisecond. */
function onWire(column: (typeof shownColumns)[keyof typeof shownColumns]): SQL {
  if (column.columnType === 'PgNumeric') return sql`${column}::text`;
  return column.dataType === 'date' ? sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${column}`;
}

/** A whole row as one text: a page of thousands of rows of two dozen values each takes half the time it takes to hand over every value. */
const wireText = sql<string>`json_build_object(${sql.join(
  Object.entries(shownColumns).flatMap(([field, column]) => [sql.raw(`'${field}'`), onWire(column)]),
  sql`, `,
)})::text`;

function toWire({ text }: { text: string }): Transaction {
  return JSON.parse(text) as Transaction;
}

export interface TransactionQuery {
  account_id?: string[] | undefined;
  entity_id?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  security_id?: string[] | undefined;
  custodian_security_ids?: string[] | undefined;
  custodian_id?: string[] | undefined;
  trx_type_id?: number[] | undefined;
  manual_trx?: boolean | undefined;
  updated_trx?: boolean | undefined;
  unpriced_trx?: boolean | undefined;
  is_unidentified?: boolean | undefined;
  newest_first: boolean;
  skip: number;
  limit: number;
}

/** The accounts asked for, of those the viewer may see. */
function visibleAccounts(viewer: Viewer, ids: readonly string[]): SQL {
  return sql`select a.id from ${accounts} a where ${inIds(sql`a.id`, ids)} and a.entity_id in (${visibleEntityIds(viewer, 'transaction_read')})`;
}

function scopeOf(viewer: Viewer, query: TransactionQuery): SQL[] {
  const byEntity = query.entity_id
    ? [eq(transactions.entity_id, toUuid(query.entity_id)), isEntityVisible(viewer, 'transaction_read', query.entity_id)]
    : [];
  const [only, ...more] = query.account_id ?? [];
  if (only === undefined) return byEntity;
  // one account is asked for by equality, so that its pages are read from the index in order
  const byAccount = more.length === 0 ? [eq(transactions.account_id, toUuid(only)), sql`exists (${visibleAccounts(viewer, [only])})`] : [];
  const byAccounts = more.length > 0 ? [sql`${transactions.account_id} in (${visibleAccounts(viewer, [only, ...more])})`] : [];
  return [...byEntity, ...byAccount, ...byAccounts];
}

function filtersOf(query: TransactionQuery): (SQL | undefined)[] {
  return [
    query.start_date === undefined ? undefined : gte(transactions.trx_date, startOf(query.start_date)),
    query.end_date === undefined ? undefined : lte(transactions.trx_date, endOf(query.end_date)),
    query.security_id && inIds(transactions.security_id, query.security_id),
    query.custodian_security_ids && inIds(transactions.custodian_security_id, query.custodian_security_ids),
    query.custodian_id && inIds(transactions.custodian_id, query.custodian_id),
    query.trx_type_id && (query.trx_type_id.length > 0 ? inArray(transactions.trx_type_id, query.trx_type_id) : sql`false`),
    query.manual_trx === undefined ? undefined : eq(transactions.manual_trx, query.manual_trx),
    query.updated_trx === undefined ? undefined : eq(transactions.updated_trx, query.updated_trx),
    query.unpriced_trx === undefined ? undefined : eq(transactions.unpriced_trx, query.unpriced_trx),
    query.is_unidentified === undefined ? undefined : eq(transactions.is_unidentified, query.is_unidentified),
  ];
}

/** How many each entity has whose transactions the viewer may read. */
export function countTransactions(db: Db, viewer: Viewer): Promise<{ entity_id: string; transactions: number }[]> {
  return rowsOf(
    db,
    sql`select e.id::text as entity_id, (select count(*)::int from transactions t where t.entity_id = e.id) as transactions
      from entities e where e.id in (${visibleEntityIds(viewer, 'transaction_read')}) order by e.id`,
  );
}

/**
 * A page of transactions by date, ties by id. With `end_date` moved down to the last date seen, a page at any depth is a
 * range of the (entity or account, date, id) index; `skip` is right at any depth, and slower the deeper it goes.
 */
export async function listTransactions(db: Db, viewer: Viewer, query: TransactionQuery): Promise<Transaction[]> {
  const order = query.newest_first ? desc : asc;
  const rows = await db
    .select({ text: wireText })
    .from(transactions)
    .where(and(...scopeOf(viewer, query), ...filtersOf(query)))
    .orderBy(order(transactions.trx_date), order(transactions.id))
    .limit(query.limit)
    .offset(query.skip);
  return rows.map(toWire);
}

/** Transactions by id, of those the viewer may use with a permission; the order is by id. */
export async function selectTransactions(
  db: Db,
  viewer: Viewer,
  query: { ids: readonly string[]; typeId?: number | undefined; accountId?: string | undefined; permission?: Needed },
): Promise<Transaction[]> {
  const rows = await db
    .select({ text: wireText })
    .from(transactions)
    .where(
      and(
        inIds(transactions.id, query.ids),
        isOfVisibleEntity(transactions.entity_id, viewer, query.permission ?? 'transaction_read'),
        query.typeId === undefined ? undefined : eq(transactions.trx_type_id, query.typeId),
        query.accountId === undefined ? undefined : eq(transactions.account_id, toUuid(query.accountId)),
      ),
    )
    .orderBy(asc(transactions.id));
  return rows.map(toWire);
}
