import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { type CreateUserInput, type UpdateUserInput, type User, userMessages } from '#contract/users.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { orderAllRemovals, takeBackRemovals } from './device-removals.ts';
import { endSessionsOf } from './sessions.ts';
import { insertNew, nameContains, type Order, orderOf, type Page, refuseWhere, requireRow } from './named.ts';
import {
  administeredBy,
  holdAccount,
  holdAdministrationOf,
  isAccountOf,
  isInSight,
  requireAdministrators,
  requireGivable,
  requireSuperuserBeside,
} from './user-rules.ts';
import { type Viewer, visibleClientIds, visibleEntityIds, visibleOrganizationIds } from './visibility.ts';

/** The fields of a person `u` as the viewer may know them. */
function fieldsFor(viewer: Viewer): SQL {
  const permission = 'user_read';
  return sql`u.id::text as id, u.email, u.name, u.is_enabled, u.is_superuser,
    coalesce((select json_agg(json_build_object('organization_id', m.organization_id, 'role_id', m.role_id) order by m.organization_id)
      from organization_members m where m.user_id = u.id
        and m.organization_id = any (array(${visibleOrganizationIds(viewer, permission)}))), '[]'::json) as memberships,
    coalesce((select json_agg(ca.client_id order by ca.client_id) from client_assignments ca where ca.user_id = u.id
        and ca.client_id = any (array(${visibleClientIds(viewer, permission)}))), '[]'::json) as client_ids,
    coalesce((select json_agg(ea.entity_id order by ea.entity_id) from entity_assignments ea where ea.user_id = u.id
        and ea.entity_id = any (array(${visibleEntityIds(viewer, permission)}))), '[]'::json) as entity_ids,
    ${isAccountOf(viewer)} as is_administered,
    (select to_char(max(s.started_at) at time zone 'UTC', 'YYYY-MM-DD') from sessions s where s.user_id = u.id) as last_sign_in_on,
    (select to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from user_invitations i where i.user_id = u.id)
      as invited_until,
    u.version::int as version`;
}

export interface UserQuery extends Page, Order {
  user_enabled?: boolean | undefined;
  email?: string | undefined;
  organization_id?: string | undefined;
  id?: string | undefined;
}

/** People by e-mail unless told, of the organizations the viewer may see users of. */
export function listUsers(db: Db, viewer: Viewer, query: UserQuery): Promise<User[]> {
  const { user_enabled: isEnabled, organization_id: organizationId } = query;
  const inOrganization =
    organizationId === undefined
      ? sql`true`
      : sql`exists (select 1 from organization_members m where m.user_id = u.id and m.organization_id = ${toUuid(organizationId)}::uuid
          and m.organization_id in (${visibleOrganizationIds(viewer, 'user_read')}))`;
  return rowsOf(
    db,
    sql`select ${fieldsFor(viewer)} from users u
      where ${isInSight(viewer, 'user_read')} and ${nameContains(sql`u.email`, query.email)} and ${inOrganization}
        and ${query.id === undefined ? sql`true` : sql`u.id = ${toUuid(query.id)}::uuid`}
        and ${isEnabled === undefined ? sql`true` : sql`u.is_enabled = ${isEnabled}`}
      order by ${orderOf(query, sql`lower(u.email), u.id`)} limit ${query.limit} offset ${query.skip}`,
  );
}

/** Those of some people the viewer may see. */
export function usersById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<User[]> {
  return rowsOf(db, sql`select ${fieldsFor(viewer)} from users u where ${inIds(sql`u.id`, ids)} and ${isInSight(viewer, 'user_read')}`);
}

/** A person as the viewer sees them after a change, also one that took them out of sight: then nothing of where they work is left. */
export async function userAfter(db: Db, viewer: Viewer, id: string): Promise<User> {
  const [user] = await rowsOf<User>(db, sql`select ${fieldsFor(viewer)} from users u where u.id = ${id}::uuid`);
  if (!user) throw new ApiError({ code: 'not_found', detail: 'User not found' });
  return user;
}

/** Holds an organization whose users the viewer administers until the transaction ends. */
export async function holdAdministered(db: Db, viewer: Viewer, organizationId: string): Promise<void> {
  const mine = sql`select 1 from organizations o where o.id = ${organizationId}::uuid
    and o.id in (${visibleOrganizationIds(viewer, 'user_write')}) for no key update`;
  await requireRow(db, mine, 'Organization');
}

/** Makes a person known, without a password. */
export async function createUser(db: Db, viewer: Viewer, input: CreateUserInput): Promise<User> {
  const [id, organizationId] = [toUuid(input.id), toUuid(input.organization_id)];
  await holdAdministered(db, viewer, organizationId);
  await requireGivable(db, viewer, organizationId, input.role_id);
  // one at a time, so that two do not both take the address
  await rowsOf(db, sql`select pg_advisory_xact_lock(hashtext('users by email'))`);
  await refuseWhere(db, sql`select 1 from users u where lower(u.email) = lower(${input.email}::text)`, userMessages.taken);
  await insertNew(db, sql`insert into users (id, email, name) values (${id}::uuid, ${input.email}, ${input.name})`, 'user');
  await db.execute(sql`insert into organization_members (user_id, organization_id, role_id)
    values (${id}::uuid, ${organizationId}::uuid, ${input.role_id})`);
  return userAfter(db, viewer, id);
}

/** Changes an account. Who is disabled is signed out everywhere, what invited them is void, and what their devices keep is to go. */
export async function updateUser(db: Db, viewer: Viewer, input: UpdateUserInput, now: number): Promise<User> {
  const id = toUuid(input.id);
  await holdAdministrationOf(db, id);
  const before = await holdAccount(db, viewer, id);
  const isDisabling = before.is_enabled && !input.is_enabled;
  if (isDisabling && id === viewer.id) throw new ApiError({ code: 'conflict', detail: userMessages.yourself });
  const left = isDisabling ? await administeredBy(db, id) : [];
  await db.execute(sql`update users set name = ${input.name}, is_enabled = ${input.is_enabled} where id = ${id}::uuid`);
  if (isDisabling) {
    await requireAdministrators(db, left);
    await requireSuperuserBeside(db, id);
    await endSessionsOf(db, id, now);
    await orderAllRemovals(db, id, now);
    await db.execute(sql`delete from user_invitations where user_id = ${id}::uuid`);
  }
  if (!before.is_enabled && input.is_enabled) await takeBackRemovals(db, id);
  return userAfter(db, viewer, id);
}
