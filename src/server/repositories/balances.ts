import { type SQL, sql } from 'drizzle-orm';
import type { EntityBalance } from '#contract/balances.ts';
import { transactionTypes } from '#contract/transaction-codes.ts';
import { signOfType } from '#domain/transaction-types.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { isoText } from './iso-text.ts';
import { requireRow } from './named.ts';
import { isEntityVisible, type Viewer } from './visibility.ts';

/** The types that add to a holding, or take from it, as a list of SQL. */
function typesOfSign(sign: 1 | -1): SQL {
  const ids = Object.keys(transactionTypes)
    .map(Number)
    .filter((id) => signOfType(id) === sign);
  return sql`(${sql.join(
    ids.map((id) => sql`${id}::smallint`),
    sql`, `,
  )})`;
}

/**
 * What an entity holds of each security by its transactions; the largest value first. A fee beside a quantity is within it: one that
 * moves a holding by itself is a row of its own.
 * @throws ApiError `not_found` where the viewer does not see the entity.
 */
export async function entityBalances(
  db: Db,
  viewer: Viewer,
  { id: entityId, include_archived: withArchived }: { id: string; include_archived: boolean },
): Promise<EntityBalance[]> {
  const id = sql`${toUuid(entityId)}::uuid`;
  await requireRow(db, sql`select 1 where ${isEntityVisible(viewer, 'account_read', entityId)}`, 'Entity');
  return rowsOf(
    db,
    sql`with moved as (
        select t.security_id, case when t.trx_type_id in ${typesOfSign(1)} then t.quantity when t.trx_type_id in ${typesOfSign(-1)} then -t.quantity else 0 end as quantity
        from transactions t where t.entity_id = ${id}),
      held as (select m.security_id, sum(m.quantity) as quantity from moved m where m.security_id is not null group by 1 having sum(m.quantity) <> 0),
      dated as (select t.security_id, max(t.trx_date) as at from transactions t where t.entity_id = ${id} and t.price is not null group by 1),
      -- a dollar is a dollar, whatever a row says
      priced as (
        select h.security_id, h.quantity, case when s.ticker = 'USD' and s.security_type_id = 3 then 1::numeric else p.price end as price, p.trx_date
        from held h join securities s on s.id = h.security_id left join dated d on d.security_id = h.security_id
        left join lateral (select t.price, t.trx_date from transactions t
          where t.entity_id = ${id} and t.trx_date = d.at and t.security_id = h.security_id and t.price is not null order by t.id desc limit 1) p on true)
      select s.id::text as security_id, s.ticker, s.security_name, trim_scale(p.quantity)::text as quantity, trim_scale(p.price)::text as price,
        ${isoText(sql`p.trx_date`)} as price_at, trim_scale(round(p.quantity * p.price, 20))::text as usd_volume,
        case when a.is_spam then 'spam' when a.id is not null then 'archived' end as archived
      from priced p join securities s on s.id = p.security_id
      join entities e on e.id = ${id}
      left join archived_assets a on a.client_id = e.client_id and a.security_id = p.security_id
      where ${withArchived ? sql`true` : sql`a.id is null`}
      order by p.quantity * p.price desc nulls last, s.ticker, s.id`,
  );
}
