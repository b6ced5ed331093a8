import { type SQL, sql } from 'drizzle-orm';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { latestReconciliation } from './latest-reconciliation.ts';
import type { Page } from './named.ts';

import { type Viewer, visibleEntityIds, worklistPermissions } from './visibility.ts';

const usd = (amount: SQL) => sql`coalesce(trim_scale(${amount}), 0)::text`;

/** Each entity's counts, made when they are asked for: every part reads an index that holds little else. */
function worklistsWhere(viewer: Viewer, condition: SQL): SQL {
  return sql`select e.id::text as id, e.client_id::text as client_id, w.version::int as version,
      breaks.unreconciled_usd, matches.pending_matches, matches.pending_usd, unpriced.unpriced,
      unidentified.unidentified, unidentified.unidentified_usd, kept.failed_syncs, updates.updated_accounts
    from entity_worklists w join entities e on e.id = w.id
    cross join lateral (
      select ${usd(sql`sum(abs((b->>'difference_usd')::numeric))`)} as unreconciled_usd
      from accounts a cross join lateral (${latestReconciliation}) r cross join lateral jsonb_array_elements(r.breaks) b
      where a.entity_id = e.id and not a.is_inactive and r.status = 'UNRECONCILED') breaks
    cross join lateral (
      select count(*)::int as pending_matches, ${usd(sql`sum(coalesce(o.usd_value, i.usd_value))`)} as pending_usd
      from transaction_matches m left join transactions o on o.id = m.out_trx_id left join transactions i on i.id = m.in_trx_id
      where m.entity_id = e.id and m.state = 'PENDING') matches
    cross join lateral (select count(*)::int as unpriced from transactions t where t.entity_id = e.id and t.unpriced_trx) unpriced
    cross join lateral (
      select count(*)::int as unidentified,
        ${usd(sql`sum(t.usd_value) filter (where t.match_state is distinct from 'PENDING')`)} as unidentified_usd
      from transactions t where t.entity_id = e.id and t.is_unidentified) unidentified
    cross join lateral (
      select count(*)::int as failed_syncs from accounts a join account_syncs s on s.account_id = a.id
      where a.entity_id = e.id and not a.is_inactive and s.status = 'SYNC_ERROR') kept
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('day', u.day, 'accounts', u.accounts) order by u.day nulls first), '[]') as updated_accounts
      from (select to_char(a.last_update at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as accounts from accounts a
        where a.entity_id = e.id and not a.is_inactive and a.account_integration_type_id <= 3 group by 1) u) updates
    where ${condition} and e.id in (${visibleEntityIds(viewer, worklistPermissions)})`;
}

/** Worklists by id, of one client or of all. */
export function listWorklists(db: Db, viewer: Viewer, query: { client_id?: string | undefined } & Page): Promise<EntityWorklist[]> {
  const ofClient = query.client_id ? sql`e.client_id = ${toUuid(query.client_id)}::uuid` : sql`true`;
  return rowsOf(db, sql`${worklistsWhere(viewer, ofClient)} order by e.id limit ${query.limit} offset ${query.skip}`);
}

/** Those of some entities the viewer may see. */
export function worklistsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<EntityWorklist[]> {
  return rowsOf(db, worklistsWhere(viewer, inIds(sql`e.id`, ids)));
}
