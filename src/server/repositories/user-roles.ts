import { sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import type { GrantedPermission, Role } from '#contract/roles.ts';
import { permissionPlace } from '#contract/roles.ts';
import { type SetUserRoleInput, type User, userMessages } from '#contract/users.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { nameContains, requireRow } from './named.ts';
import { endSessionsOf } from './sessions.ts';
import { administeredBy, holdAdministrationOf, holdUser, isInSight, requireAdministrators, requireGivable } from './user-rules.ts';
import { holdAdministered, userAfter } from './users.ts';
import { type Viewer, visibleOrganizationIds } from './visibility.ts';

/** The roles, those that may most first. */
export function listRoles(db: Db, text: string | undefined): Promise<Role[]> {
  return rowsOf(
    db,
    sql`select r.id, r.name, r.sees_whole_organization from roles r where ${nameContains(sql`r.name`, text)}
      order by cardinality(r.permissions) desc, r.name, r.id`,
  );
}

/** What roles grant: all, some, or those a person has in the organizations the viewer sees. */
export async function listPermissions(
  db: Db,
  viewer: Viewer,
  { roles, user_id: userId }: { roles?: readonly string[] | undefined; user_id?: string | undefined },
): Promise<GrantedPermission[]> {
  if (userId !== undefined) {
    await requireRow(db, sql`select 1 from users u where u.id = ${toUuid(userId)}::uuid and ${isInSight(viewer, 'user_read')}`, 'User');
  }
  const isAsked = roles === undefined ? sql`true` : sql`r.id in (select jsonb_array_elements_text(${JSON.stringify(roles)}::jsonb))`;
  const isTheirs =
    userId === undefined
      ? sql`true`
      : sql`r.id in (select m.role_id from organization_members m where m.user_id = ${toUuid(userId)}::uuid
          and m.organization_id in (${visibleOrganizationIds(viewer, 'user_read')}))`;
  const granted = await rowsOf<GrantedPermission>(
    db,
    sql`select p as id, json_agg(r.id order by r.id) as roles from roles r, unnest(r.permissions) p where ${isAsked} and ${isTheirs} group by p order by p`,
  );
  return granted.sort((a, b) => permissionPlace(a.id) - permissionPlace(b.id));
}

async function roleIn(db: Db, userId: string, organizationId: string): Promise<string | null> {
  const [found] = await rowsOf<{ role_id: string }>(
    db,
    sql`select role_id from organization_members where user_id = ${userId}::uuid and organization_id = ${organizationId}::uuid`,
  );
  return found?.role_id ?? null;
}

/** Whether somebody administers another organization of a person, and so may have chosen their password, who does not administer this one. */
async function hasOtherAdministrators(db: Db, userId: string, organizationId: string): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`select 1 from organization_members o join organizations held on held.id = o.organization_id and held.deleted_at is null
      join organization_members m on m.organization_id = o.organization_id join roles r on r.id = m.role_id and 'user_write' = any (r.permissions)
      where o.user_id = ${userId}::uuid and m.user_id <> ${userId}::uuid and not exists (
        select 1 from organization_members a join roles s on s.id = a.role_id and 'user_write' = any (s.permissions)
        where a.user_id = m.user_id and a.organization_id = ${organizationId}::uuid) limit 1`,
  );
  return rows.length > 0;
}

/** A person signs in anew: by a new link, or their provider. */
async function forgetSignIn(db: Db, userId: string, now: number): Promise<void> {
  await db.execute(sql`update users set password_hash = null where id = ${userId}::uuid`);
  await db.execute(sql`delete from user_invitations where user_id = ${userId}::uuid`);
  await endSessionsOf(db, userId, now);
}

/**
 * Gives a person a role in an organization the viewer administers, or takes them out of it with all they were assigned there.
 * Who comes from an organization of other administrators chooses a password anew: the one there is may be known to those.
 */
export async function setUserRole(db: Db, viewer: Viewer, input: SetUserRoleInput, now: number): Promise<User> {
  const [id, organizationId, roleId] = [toUuid(input.id), toUuid(input.organization_id), input.role_id];
  await holdAdministrationOf(db, id);
  await holdAdministered(db, viewer, organizationId);
  await holdUser(db, viewer, id);
  const before = await roleIn(db, id, organizationId);
  if (before === roleId) return userAfter(db, viewer, id);
  for (const role of [before, roleId]) if (role !== null) await requireGivable(db, viewer, organizationId, role);
  const wasAdministrator = (await administeredBy(db, id)).includes(organizationId);
  const place = sql`user_id = ${id}::uuid and organization_id = ${organizationId}::uuid`;
  if (roleId === null) {
    const clients = sql`select c.id from clients c where c.organization_id = ${organizationId}::uuid`;
    await db.execute(sql`delete from client_assignments where user_id = ${id}::uuid and client_id in (${clients})`);
    await db.execute(sql`delete from entity_assignments where user_id = ${id}::uuid
      and entity_id in (select e.id from entities e where e.client_id in (${clients}))`);
    await db.execute(sql`delete from organization_members where ${place}`);
  } else if (before === null) {
    if (await hasOtherAdministrators(db, id, organizationId)) await forgetSignIn(db, id, now);
    await db.execute(
      sql`insert into organization_members (user_id, organization_id, role_id) values (${id}::uuid, ${organizationId}::uuid, ${roleId})`,
    );
  } else {
    await db.execute(sql`update organization_members set role_id = ${roleId} where ${place}`);
  }
  if (wasAdministrator && !(await administeredBy(db, id)).includes(organizationId)) {
    if (id === viewer.id && !viewer.is_superuser) throw new ApiError({ code: 'conflict', detail: userMessages.ownRole });
    await requireAdministrators(db, [organizationId]);
  }
  return userAfter(db, viewer, id);
}
