import { sql } from 'drizzle-orm';
import type { UnreconciledAccount } from '#contract/reconciliations.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { endOf } from './date-bounds.ts';
import { isoText } from './iso-text.ts';
import { requireRow } from './named.ts';
import { isEntityVisible, type Viewer } from './visibility.ts';

/**
 * The accounts of an entity that do not tie out at the end of a day, or are not known to; the most money at stake first.
 * An inactive account that was never compared is not asked about.
 * @throws ApiError `not_found` where the viewer does not see the entity.
 */
export async function unreconciledAccounts(db: Db, viewer: Viewer, entityId: string, endDate: string): Promise<UnreconciledAccount[]> {
  await requireRow(db, sql`select 1 where ${isEntityVisible(viewer, 'account_read', entityId)}`, 'Entity');
  const day = endOf(endDate).toISOString().slice(0, 10);
  return rowsOf(
    db,
    sql`with standing as (
        select distinct on (a.id) a.id, a.account_name, a.custodian_id, a.is_inactive, r.end_date, r.status, r.last_snapshot_at, r.breaks
        from accounts a left join account_reconciliations r on r.account_id = a.id and r.end_date <= ${day}::date
        where a.entity_id = ${toUuid(entityId)}::uuid
        order by a.id, r.end_date desc)
      select s.id::text as account_id, s.account_name, c.custodian_name, s.status, to_char(s.end_date, 'YYYY-MM-DD') as end_date,
        ${isoText(sql`s.last_snapshot_at`)} as last_snapshot_at, trim_scale(d.usd)::text as difference_usd,
        coalesce(s.breaks, '[]'::jsonb) as breaks
      from standing s join custodians c on c.id = s.custodian_id
      cross join lateral (select sum(abs((b->>'difference_usd')::numeric)) as usd from jsonb_array_elements(s.breaks) b) d
      where s.status is distinct from 'RECONCILED' and (s.status is not null or not s.is_inactive)
      order by d.usd desc nulls last, s.status = 'UNRECONCILED' desc nulls last, s.status is null, s.account_name, s.id`,
  );
}
