import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { userMessages } from '#contract/users.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { refuseWhere } from './named.ts';
import { type Viewer, visibleOrganizationIds } from './visibility.ts';

// Who may do what with whom. A person is `u`: a row of users.

type UserKey = 'user_read' | 'user_write';

/** Whether the viewer holds a permission in an organization the person works for. Of who works for none, only a superuser knows. */
export function isInSight(viewer: Viewer, permission: UserKey): SQL {
  if (viewer.is_superuser) return sql`true`;
  return sql`exists (select 1 from organization_members sm where sm.user_id = u.id
    and sm.organization_id = any (array(${visibleOrganizationIds(viewer, permission)})))`;
}

/** Organizations the viewer administers, and what their own role may do there. */
function administered(viewer: Viewer): SQL {
  return sql`select am.organization_id, ar.permissions, ar.sees_whole_organization from organization_members am join roles ar on ar.id = am.role_id
    where am.user_id = ${viewer.id}::uuid and 'user_write' = any (ar.permissions)`;
}

/** Whether a role `r` in an organization may do no more than the viewer may there: nobody grants more than they have. */
function isWithin(viewer: Viewer, organization: SQL): SQL {
  return sql`exists (select 1 from (${administered(viewer)}) a where a.organization_id = ${organization}
    and r.permissions <@ a.permissions and (a.sees_whole_organization or not r.sees_whole_organization))`;
}

/** The same for who sees all of the organization: a role that does not may be the same, and see what the viewer does not. */
function isWithinWhole(viewer: Viewer, organization: SQL): SQL {
  return sql`exists (select 1 from (${administered(viewer)}) a where a.organization_id = ${organization}
    and a.sees_whole_organization and r.permissions <@ a.permissions)`;
}

/**
 * Whether the viewer may change the person's account, which is one for all organizations: they administer each of those the person works
 * for, and may do and see as much as the person in each. Otherwise who administers one tenant could lock a person out of another, or get in.
 */
export function isAccountOf(viewer: Viewer): SQL {
  if (viewer.is_superuser) return sql`true`;
  const worksIn = sql`organization_members wm join organizations o on o.id = wm.organization_id and o.deleted_at is null
    join roles r on r.id = wm.role_id where wm.user_id = u.id`;
  return sql`(not u.is_superuser and exists (select 1 from ${worksIn})
    and not exists (select 1 from ${worksIn} and not ${isWithinWhole(viewer, sql`wm.organization_id`)}))`;
}

/** Holds a person until the transaction ends. @throws ApiError `not_found` where the viewer administers no organization of theirs. */
export async function holdUser(db: Db, viewer: Viewer, id: string): Promise<{ is_enabled: boolean; is_account: boolean }> {
  const [found] = await rowsOf<{ is_enabled: boolean; is_account: boolean }>(
    db,
    sql`select u.is_enabled, ${isAccountOf(viewer)} as is_account from users u
      where u.id = ${id}::uuid and ${isInSight(viewer, 'user_write')} for no key update`,
  );
  if (!found) throw new ApiError({ code: 'not_found', detail: 'User not found' });
  return found;
}

/** The same. @throws ApiError `conflict` where their account is not the viewer's to change. */
export async function holdAccount(db: Db, viewer: Viewer, id: string): Promise<{ is_enabled: boolean }> {
  const user = await holdUser(db, viewer, id);
  if (!user.is_account) throw new ApiError({ code: 'conflict', detail: userMessages.elsewhere });
  return user;
}

/** @throws ApiError `invalid` where there is no such role, `conflict` where it may do more than the viewer in the organization. */
export async function requireGivable(db: Db, viewer: Viewer, organizationId: string, roleId: string): Promise<void> {
  const [role] = await rowsOf<{ is_within: boolean }>(
    db,
    sql`select ${viewer.is_superuser ? sql`true` : isWithin(viewer, sql`${organizationId}::uuid`)} as is_within from roles r where r.id = ${roleId}`,
  );
  if (!role)
    throw new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'role_id'], msg: userMessages.unknownRole, type: 'unknown' }] });
  if (!role.is_within) throw new ApiError({ code: 'conflict', detail: userMessages.tooMuch });
}

/** The organizations in which a person who is enabled administers users. */
export async function administeredBy(db: Db, userId: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select m.organization_id::text as id from organization_members m join roles r on r.id = m.role_id
      join users u on u.id = m.user_id and u.is_enabled
      join organizations o on o.id = m.organization_id and o.deleted_at is null
      where m.user_id = ${userId}::uuid and 'user_write' = any (r.permissions)`,
  );
  return rows.map(({ id }) => id);
}

/** @throws ApiError `conflict` where one of some organizations is left without anybody who administers its users. */
export async function requireAdministrators(db: Db, organizationIds: readonly string[]): Promise<void> {
  for (const id of organizationIds) {
    const some = sql`select 1 from organization_members m join roles r on r.id = m.role_id join users u on u.id = m.user_id
      where m.organization_id = ${id}::uuid and u.is_enabled and 'user_write' = any (r.permissions)`;
    await refuseWhere(db, sql`select 1 where not exists (${some})`, userMessages.lastAdministrator);
  }
}

/** @throws ApiError `conflict` where a person who was disabled was the last superuser. */
export async function requireSuperuserBeside(db: Db, userId: string): Promise<void> {
  const another = sql`select 1 from users where is_superuser and is_enabled`;
  const last = sql`select 1 from users where id = ${userId}::uuid and is_superuser and not exists (${another})`;
  await refuseWhere(db, last, userMessages.lastSuperuser);
}

/** One change at a time of who administers what a person does: of two last administrators not both go. */
export async function holdAdministrationOf(db: Db, userId: string): Promise<void> {
  await rowsOf(
    db,
    sql`select 1 from organizations where id in (select organization_id from organization_members where user_id = ${userId}::uuid)
      order by id for no key update`,
  );
  await rowsOf(
    db,
    sql`select 1 from users where is_superuser and (select is_superuser from users where id = ${userId}::uuid) order by id for no key update`,
  );
}
