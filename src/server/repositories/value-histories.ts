import { type SQL, sql } from 'drizzle-orm';
import type { ValueHistory } from '#contract/value-histories.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import type { Page } from './named.ts';
import { type Viewer, visibleEntityIds } from './visibility.ts';

/** The days told of: each week's and each month's last for 13 months before the newest, and that. */
const isTold = sql`v.day > newest.day - interval '13 months' and (extract(isodow from v.day) = 7
  or v.day = (date_trunc('month', v.day) + interval '1 month - 1 day')::date or v.day = newest.day)`;

function historiesWhere(viewer: Viewer, condition: SQL): SQL {
  return sql`select e.id::text as id, e.client_id::text as client_id, h.version::int as version, past.days, now.kinds
    from value_histories h join entities e on e.id = h.id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('day', v.day::text, 'value_usd', trim_scale(v.value_usd)::text) order by v.day), '[]') as days
      from entity_values v cross join (select max(day) as day from entity_values where entity_id = e.id) newest
      where v.entity_id = e.id and ${isTold}) past
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('account_integration_type_id', k.integration, 'account_type_id', k.type,
        'value_usd', trim_scale(k.value_usd)::text) order by k.integration, k.type), '[]') as kinds
      from (select a.account_integration_type_id as integration, a.account_type_id as type, sum(av.value_usd) as value_usd
        from accounts a join account_values av on av.account_id = a.id where a.entity_id = e.id group by 1, 2) k) now
    where ${condition} and e.id in (${visibleEntityIds(viewer, 'account_read')})`;
}

/** What entities were worth, by id, of one client or of all. */
export function listValueHistories(db: Db, viewer: Viewer, query: { client_id?: string | undefined } & Page): Promise<ValueHistory[]> {
  const ofClient = query.client_id ? sql`e.client_id = ${toUuid(query.client_id)}::uuid` : sql`true`;
  return rowsOf(db, sql`${historiesWhere(viewer, ofClient)} order by e.id limit ${query.limit} offset ${query.skip}`);
}

/** Those of some entities the viewer may see. */
export function valueHistoriesById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ValueHistory[]> {
  return rowsOf(db, historiesWhere(viewer, inIds(sql`e.id`, ids)));
}
