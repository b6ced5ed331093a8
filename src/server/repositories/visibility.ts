import { type SQL, sql } from 'drizzle-orm';
import type { PermissionKey } from '#contract/permissions.ts';
import { toUuid } from '#server/database/open.ts';

/** Whose eyes a query looks through. */
export interface Viewer {
  id: string;
  is_superuser: boolean;
}

/** A permission, or several which one role must have: a person has one in an organization. */
export type Needed = PermissionKey | readonly PermissionKey[];

/** The organizations in which a user's role grants a permission, and whether it shows them whole. */
function grants(viewer: Viewer, permission: Needed): SQL {
  const has =
    typeof permission === 'string' ? sql`${permission} = any(r.permissions)` : sql`r.permissions @> ${`{${permission.join(',')}}`}::text[]`;
  return sql`select m.organization_id, r.sees_whole_organization from organization_members m join roles r on r.id = m.role_id
    join organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = ${viewer.id}::uuid and ${has}`;
}

/** Ids of the entities that are a user's to use with a permission, of those a condition on `e` and its client `c` picks. */
function entityIdsWhere(viewer: Viewer, permission: Needed, condition: SQL): SQL {
  if (viewer.is_superuser) return sql`select e.id from entities e join clients c on c.id = e.client_id where ${condition}`;
  return sql`select e.id from entities e join clients c on c.id = e.client_id
    join (${grants(viewer, permission)}) g on g.organization_id = c.organization_id
    where ${condition} and (g.sees_whole_organization
      or exists (select 1 from client_assignments ca where ca.user_id = ${viewer.id}::uuid and ca.client_id = c.id)
      or exists (select 1 from entity_assignments ea where ea.user_id = ${viewer.id}::uuid and ea.entity_id = e.id))`;
}

/**
 * Ids of the entities a user may use with a permission: all of an organization where the role says so, else those
 * assigned to the user, themselves or by their client. Goes inside the query that reads or writes the rows, never after it.
 */
export function visibleEntityIds(viewer: Viewer, permission: Needed): SQL {
  return entityIdsWhere(viewer, permission, sql`e.deleted_at is null and c.deleted_at is null`);
}

/** Ids of the deleted entities a user could use before they were. */
export function deletedEntityIds(viewer: Viewer, permission: PermissionKey): SQL {
  return entityIdsWhere(viewer, permission, sql`e.deleted_at is not null`);
}

/**
 * Whether an entity is one of the visible, for rows asked for by id: told as an array, the database looks the rows up by their
 * ids, where a join would make it read all there is in the entities first.
 */
export function isOfVisibleEntity(column: SQL | { getSQL(): SQL }, viewer: Viewer, permission: Needed): SQL {
  return sql`${column} = any (array(${visibleEntityIds(viewer, permission)}))`;
}

/** What an entity's worklist is counted from: who may not read all of it does not see the counts. */
export const worklistPermissions = ['account_read', 'transaction_read', 'transaction_match_read'] as const;

/** Ids of the clients a user may see: whole organizations, assigned clients, and the clients of assigned entities. */
export function visibleClientIds(viewer: Viewer, permission: PermissionKey): SQL {
  if (viewer.is_superuser) return sql`select c.id from clients c where c.deleted_at is null`;
  return sql`select c.id from clients c join (${grants(viewer, permission)}) g on g.organization_id = c.organization_id
    where c.deleted_at is null and (g.sees_whole_organization
      or exists (select 1 from client_assignments ca where ca.user_id = ${viewer.id}::uuid and ca.client_id = c.id)
      or exists (select 1 from entity_assignments ea join entities e on e.id = ea.entity_id
        where ea.user_id = ${viewer.id}::uuid and e.client_id = c.id and e.deleted_at is null))`;
}

/** Ids of the organizations a user is a member of with a permission. */
export function visibleOrganizationIds(viewer: Viewer, permission: PermissionKey): SQL {
  if (viewer.is_superuser) return sql`select o.id from organizations o where o.deleted_at is null`;
  return sql`select g.organization_id from (${grants(viewer, permission)}) g`;
}

/** Whether one entity is visible: does not depend on the row read, so the database asks it once per query. */
export function isEntityVisible(viewer: Viewer, permission: PermissionKey, entityId: string): SQL {
  return sql`exists (select 1 from (${visibleEntityIds(viewer, permission)}) v where v.id = ${toUuid(entityId)}::uuid)`;
}

/** Ids of the organizations a user sees whole with a permission. */
export function wholeOrganizationIds(viewer: Viewer, permission: PermissionKey): SQL {
  if (viewer.is_superuser) return sql`select o.id from organizations o where o.deleted_at is null`;
  return sql`select g.organization_id from (${grants(viewer, permission)}) g where g.sees_whole_organization`;
}

/** Ids of the clients a user sees with all their entities. */
export function wholeClientIds(viewer: Viewer, permission: Needed): SQL {
  if (viewer.is_superuser) return sql`select c.id from clients c where c.deleted_at is null`;
  return sql`select c.id from clients c join (${grants(viewer, permission)}) g on g.organization_id = c.organization_id
    where c.deleted_at is null and (g.sees_whole_organization
      or exists (select 1 from client_assignments ca where ca.user_id = ${viewer.id}::uuid and ca.client_id = c.id))`;
}
