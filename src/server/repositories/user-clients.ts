import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { type AssignUserInput, type User, type UserClient, userMessages } from '#contract/users.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { refuseWhere, requireRow } from './named.ts';
import { holdUser, isInSight } from './user-rules.ts';
import { userAfter } from './users.ts';
import { type Viewer, visibleClientIds, visibleEntityIds, wholeClientIds } from './visibility.ts';

/** The clients a person sees, of those the viewer sees, by id. */
export async function clientsOfUser(db: Db, viewer: Viewer, userId: string): Promise<Record<string, UserClient>> {
  const id = toUuid(userId);
  await requireRow(db, sql`select 1 from users u where u.id = ${id}::uuid and ${isInSight(viewer, 'user_read')}`, 'User');
  const rows = await rowsOf<UserClient>(
    db,
    sql`select * from (select c.id::text as id, c.client_name, c.organization_id::text as organization_id,
        exists (select 1 from client_assignments ca where ca.user_id = u.id and ca.client_id = c.id) as is_assigned,
        u.is_superuser or r.sees_whole_organization as is_seen_by_role,
        coalesce((select json_agg(json_build_object('id', e.id, 'label', e.entity_name) order by e.entity_name, e.id)
          from entity_assignments ea join entities e on e.id = ea.entity_id where ea.user_id = u.id and e.client_id = c.id
            and e.id = any (array(${visibleEntityIds(viewer, 'user_read')}))), '[]'::json) as entities
      from users u cross join clients c
        left join organization_members m on m.user_id = u.id and m.organization_id = c.organization_id left join roles r on r.id = m.role_id
      where u.id = ${id}::uuid and (u.is_superuser or m.user_id is not null) and c.id in (${visibleClientIds(viewer, 'user_read')})) f
      where f.is_assigned or f.is_seen_by_role or json_array_length(f.entities) > 0 order by f.client_name, f.id`,
  );
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

/** @throws ApiError `not_found` where not all of some ids are among those that a query finds. */
async function requireAll(db: Db, ids: readonly string[], allowed: SQL, noun: string): Promise<void> {
  if (ids.length === 0) return;
  const [found] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from (${allowed}) a where ${inIds(sql`a.id`, ids)}`,
  );
  if (found?.count !== ids.length) throw new ApiError({ code: 'not_found', detail: `${noun} not found` });
}

const uuidsOf = (ids: readonly string[]): string[] => [...new Set(ids.map(toUuid))];

/** Assigns and takes away what the viewer may use with the right to write users; of a client only who sees all of it may. */
export async function assignUser(db: Db, viewer: Viewer, input: AssignUserInput): Promise<User> {
  const id = toUuid(input.id);
  const [clients, noClients] = [uuidsOf(input.assign_clients), uuidsOf(input.unassign_clients)];
  const [entities, noEntities] = [uuidsOf(input.assign_entities), uuidsOf(input.unassign_entities)];
  await holdUser(db, viewer, id);
  await requireAll(db, uuidsOf([...clients, ...noClients]), wholeClientIds(viewer, 'user_write'), 'Client');
  await requireAll(db, uuidsOf([...entities, ...noEntities]), visibleEntityIds(viewer, 'user_write'), 'Entity');
  const worksFor = sql`select m.organization_id from organization_members m where m.user_id = ${id}::uuid`;
  const elsewhere = sql`select 1 from clients c where c.organization_id not in (${worksFor}) and (${inIds(sql`c.id`, clients)}
    or c.id in (select e.client_id from entities e where ${inIds(sql`e.id`, entities)}))`;
  await refuseWhere(db, elsewhere, userMessages.notThere);
  await db.execute(sql`delete from client_assignments where user_id = ${id}::uuid and ${inIds(sql`client_id`, noClients)}`);
  await db.execute(sql`delete from entity_assignments where user_id = ${id}::uuid and ${inIds(sql`entity_id`, noEntities)}`);
  await db.execute(sql`insert into client_assignments (user_id, client_id)
    select ${id}::uuid, c.id from clients c where ${inIds(sql`c.id`, clients)} on conflict do nothing`);
  await db.execute(sql`insert into entity_assignments (user_id, entity_id)
    select ${id}::uuid, e.id from entities e where ${inIds(sql`e.id`, entities)} on conflict do nothing`);
  return userAfter(db, viewer, id);
}
