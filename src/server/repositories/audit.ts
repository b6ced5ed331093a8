import { type SQL, sql } from 'drizzle-orm';
import type { AuditEntry, AuditPerson } from '#contract/audit.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { endOf, startOf } from './date-bounds.ts';
import { type Viewer, visibleClientIds, visibleEntityIds, visibleOrganizationIds, wholeOrganizationIds } from './visibility.ts';

/** Says who makes the changes of a transaction: the triggers that write the trail read it. */
export async function actAs(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`select set_config('tieout.user', ${userId}, true)`);
}

export interface AuditQuery {
  organization_id?: string | undefined;
  client_id?: string | undefined;
  entity_id?: string | undefined;
  noun?: string | undefined;
  row_id?: string | undefined;
  user_id?: string | undefined;
  action?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const permission = 'audit_read';

// told as arrays, these are asked once per query, not once per entry
const isAnyOf = (column: SQL, ids: SQL): SQL => sql`${column} = any (array(${ids}))`;
const isWhole = (column: SQL, viewer: Viewer): SQL => isAnyOf(column, wholeOrganizationIds(viewer, permission));

/**
 * Whether an entry `a` is one the viewer may read. Whoever sees its organization whole may, also where its client or entity is
 * deleted; others where they see its client, and its entity if it has one. An entry about a user has no organization: those may read it
 * who see whole one of the user's.
 */
function isReadable(viewer: Viewer): SQL {
  if (viewer.is_superuser) return sql`true`;
  return sql`(${isWhole(sql`a.organization_id`, viewer)}
    or (${isAnyOf(sql`a.organization_id`, visibleOrganizationIds(viewer, permission))}
      and ${isAnyOf(sql`a.client_id`, visibleClientIds(viewer, permission))}
      and (a.entity_id is null or ${isAnyOf(sql`a.entity_id`, visibleEntityIds(viewer, permission))}))
    or (a.noun in ('users', 'user_invitations', 'device_removals')
      and ${isAnyOf(sql`split_part(a.row_id, ' ', 1)`, sql`select m.user_id::text from organization_members m where ${isWhole(sql`m.organization_id`, viewer)}`)}))`;
}

/** Whether a client or an entity `place` of an organization may be named beside an entry that may be read. */
function isNamed(viewer: Viewer, place: SQL, organization: SQL, visible: SQL): SQL {
  if (viewer.is_superuser) return sql`true`;
  return sql`(${isWhole(organization, viewer)} or ${isAnyOf(place, visible)})`;
}

/**
 * Whether whoever `u` did an entry `p` may be named: an entry of an organization names them to all who read it. One about a person is of
 * none, and may tell of a time when that person worked for others alone: of these only superusers are named, and whom the viewer knows.
 */
function isActorNamed(viewer: Viewer): SQL {
  if (viewer.is_superuser) return sql`true`;
  return sql`(p.organization_id is not null or u.is_superuser or u.id in (${viewer.id}::uuid, p.key)
    or ${isAnyOf(sql`u.id`, sql`select m.user_id from organization_members m where ${isWhole(sql`m.organization_id`, viewer)}`)})`;
}

function filtersOf(query: AuditQuery): SQL[] {
  const { before, noun, row_id, action, start_date, end_date } = query;
  const ids = (['organization_id', 'client_id', 'entity_id', 'user_id'] as const).flatMap((name) => {
    const id = query[name];
    return id === undefined ? [] : [sql`a.${sql.identifier(name)} = ${toUuid(id)}::uuid`];
  });
  return [
    ...ids,
    ...(before === undefined ? [] : [sql`a.seq < ${before}::bigint`]),
    ...(noun === undefined ? [] : [sql`a.noun = ${noun}`]),
    ...(row_id === undefined ? [] : [sql`a.row_id = ${row_id}`]),
    ...(action === undefined ? [] : [sql`a.action = ${action}`]),
    ...(start_date === undefined ? [] : [sql`a.at >= ${startOf(start_date).toISOString()}::timestamptz`]),
    ...(end_date === undefined ? [] : [sql`a.at <= ${endOf(end_date).toISOString()}::timestamptz`]),
  ];
}

const amountOf = (transaction: SQL): SQL => sql`(
  select concat_ws(' ', trim_scale(t.quantity)::text, coalesce(s.ticker, cs.symbol)) from transactions t
    left join securities s on s.id = t.security_id left join custodian_securities cs on cs.id = t.custodian_security_id
    where t.id = ${transaction})`;

/** What a row is called today, else what it was called when the entry was written. */
const title = sql`case p.noun
  when 'organizations' then coalesce((select o.name from organizations o where o.id = p.key), p.told->>'name')
  when 'clients' then coalesce((select c.client_name from clients c where c.id = p.key), p.told->>'client_name')
  when 'entities' then coalesce((select e.entity_name from entities e where e.id = p.key), p.told->>'entity_name')
  when 'accounts' then coalesce((select r.account_name from accounts r where r.id = p.key), p.told->>'account_name')
  when 'custodians' then coalesce((select r.custodian_name from custodians r where r.id = p.key), p.told->>'custodian_name')
  when 'securities' then coalesce((select s.ticker from securities s where s.id = p.key), p.told->>'ticker')
  when 'custodian_securities' then coalesce((select s.symbol from custodian_securities s where s.id = p.key), p.told->>'symbol')
  when 'roles' then coalesce((select r.name from roles r where r.id = p.row_id), p.told->>'name')
  when 'transactions' then coalesce(${amountOf(sql`p.key`)}, p.told->>'quantity')
  when 'transaction_matches' then ${amountOf(sql`(select coalesce(m.out_trx_id, m.in_trx_id) from transaction_matches m where m.id = p.key)`)}
  when 'archived_assets' then (select s.ticker from securities s where s.id = coalesce(
    (p.told->>'security_id')::uuid, (select x.security_id from archived_assets x where x.id = p.key)))
  when 'users' then coalesce((select u.email from users u where u.id = p.key), p.told->>'email')
  when 'device_removals' then (select u.email from users u where u.id = p.key)
  when 'user_invitations' then (select u.email from users u where u.id = p.key)
  when 'organization_members' then (select u.email from users u where u.id = p.key)
  when 'client_assignments' then (select u.email from users u where u.id = p.key)
  when 'entity_assignments' then (select u.email from users u where u.id = p.key) end`;

/** A page of the entries a viewer may read, newest first. */
export function listAuditEntries(db: Db, viewer: Viewer, query: AuditQuery): Promise<AuditEntry[]> {
  const conditions = [isReadable(viewer), ...filtersOf(query)];
  return rowsOf(
    db,
    sql`with page as (
        select a.*, case when a.row_id ~ '^[0-9a-f-]{36}( |$)' then split_part(a.row_id, ' ', 1)::uuid end as key, coalesce(a.after, a.before) as told
        from audit_entries a where ${sql.join(conditions, sql` and `)} order by a.seq desc limit ${query.limit})
      select p.seq::text as id, to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        p.user_id::text as user_id, u.email as user_email, p.organization_id::text as organization_id,
        p.client_id::text as client_id, c.client_name, p.entity_id::text as entity_id, e.entity_name,
        p.noun, p.row_id, ${title} as title, p.action, p.before, p.after
      from page p left join users u on u.id = p.user_id and ${isActorNamed(viewer)}
        left join clients c on c.id = p.client_id
          and ${isNamed(viewer, sql`c.id`, sql`c.organization_id`, visibleClientIds(viewer, permission))}
        left join (select e.id, e.entity_name, o.organization_id from entities e join clients o on o.id = e.client_id) e on e.id = p.entity_id
          and ${isNamed(viewer, sql`e.id`, sql`e.organization_id`, visibleEntityIds(viewer, permission))}
      order by p.seq desc`,
  );
}

/** The members of the organizations whose trail a viewer may read, by e-mail; for a superuser everybody. */
export function listAuditPeople(db: Db, viewer: Viewer): Promise<AuditPerson[]> {
  const isMember = sql`exists (select 1 from organization_members m
    where m.user_id = u.id and ${isAnyOf(sql`m.organization_id`, visibleOrganizationIds(viewer, permission))})`;
  return rowsOf(
    db,
    sql`select u.id::text as id, u.email from users u where ${viewer.is_superuser ? sql`true` : isMember} order by u.email`,
  );
}
