import { sql } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { PermissionKey } from '#contract/permissions.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { latestReconciliation } from './latest-reconciliation.ts';
import { type Viewer, visibleEntityIds } from './visibility.ts';

const accountFields = sql`a.id::text as id, a.account_name, e.client_id::text as client_id, a.entity_id::text as entity_id,
  a.custodian_id::text as custodian_id, a.parent_account_id::text as parent_account_id, a.account_integration_type_id::int as account_integration_type_id,
  a.account_type_id::int as account_type_id, a.blockchain, a.address, a.currency, a.is_inactive,
  to_char(a.last_update at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_update,
  (select trim_scale(v.value_usd)::text from account_values v where v.account_id = a.id) as value_usd,
  (select r.status from (${latestReconciliation}) r) as reconciliation_status,
  (select s.status from account_syncs s where s.account_id = a.id) as sync_status, a.version::int as version`;

export interface AccountQuery {
  client_id?: string | undefined;
  custodian_id?: string | undefined;
  entity_id?: string | undefined;
  exclude_sub_accounts: boolean;
  is_inactive: boolean;
  skip: number;
  limit: number;
}

/** Accounts by name: the active ones, or with `is_inactive` the inactive ones. */
export function listAccounts(db: Db, viewer: Viewer, query: AccountQuery): Promise<Account[]> {
  const conditions = [
    sql`a.entity_id in (${visibleEntityIds(viewer, 'account_read')})`,
    sql`a.is_inactive = ${query.is_inactive}`,
    ...(query.client_id ? [sql`e.client_id = ${toUuid(query.client_id)}::uuid`] : []),
    ...(query.entity_id ? [sql`a.entity_id = ${toUuid(query.entity_id)}::uuid`] : []),
    ...(query.custodian_id ? [sql`a.custodian_id = ${toUuid(query.custodian_id)}::uuid`] : []),
    ...(query.exclude_sub_accounts ? [sql`a.parent_account_id is null`] : []),
  ];
  return rowsOf(
    db,
    sql`select ${accountFields} from accounts a join entities e on e.id = a.entity_id where ${sql.join(conditions, sql` and `)}
      order by a.account_name, a.id limit ${query.limit} offset ${query.skip}`,
  );
}

/** Those of some accounts the viewer may use with a permission. */
export function accountsById(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
  permission: PermissionKey = 'account_read',
): Promise<Account[]> {
  return rowsOf(
    db,
    sql`select ${accountFields} from accounts a join entities e on e.id = a.entity_id
      where ${inIds(sql`a.id`, ids)} and a.entity_id in (${visibleEntityIds(viewer, permission)})`,
  );
}

/** One account the viewer may use with a permission, or `undefined`. */
export async function findAccount(db: Db, viewer: Viewer, id: string, permission: PermissionKey): Promise<Account | undefined> {
  return (await accountsById(db, viewer, [id], permission))[0];
}
