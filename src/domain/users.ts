import type { Role } from '#contract/roles.ts';
import type { AssignUserInput, Membership, SetUserRoleInput, User } from '#contract/users.ts';

/** Without some and with others, each once, in the order of ids. */
function changed(ids: readonly string[], gone: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...ids.filter((id) => !gone.includes(id)), ...added])].sort();
}

/** A person's assignments once some are made and some taken away. */
export function assignedAfter(
  { client_ids, entity_ids }: Pick<User, 'client_ids' | 'entity_ids'>,
  input: Omit<AssignUserInput, 'id'>,
): Pick<User, 'client_ids' | 'entity_ids'> {
  return {
    client_ids: changed(client_ids, input.unassign_clients, input.assign_clients),
    entity_ids: changed(entity_ids, input.unassign_entities, input.assign_entities),
  };
}

/** A person's roles once they have another one in an organization, or none. */
export function membershipsAfter(
  memberships: readonly Membership[],
  { organization_id, role_id }: Pick<SetUserRoleInput, 'organization_id' | 'role_id'>,
): Membership[] {
  const others = memberships.filter((membership) => membership.organization_id !== organization_id);
  const own = role_id === null ? [] : [{ organization_id, role_id }];
  return [...others, ...own].sort((a, b) => (a.organization_id < b.organization_id ? -1 : 1));
}

/** A client with the entities it has. */
export interface ClientOfTree {
  id: string;
  organization_id: string;
  entities: readonly { id: string }[];
}

/** How a person sees a client: by their role, since it is assigned to them, some of its entities, or not. */
export type Sight = 'role' | 'client' | 'entities' | 'none';

/** @param roles those that are known; one that is not shows nothing by itself. */
export function sightOf(user: User, client: ClientOfTree, roles: ReadonlyMap<string, Pick<Role, 'sees_whole_organization'>>): Sight {
  if (user.is_superuser) return 'role';
  const membership = user.memberships.find(({ organization_id }) => organization_id === client.organization_id);
  // an assignment in an organization the person does not work for shows nothing
  if (!membership) return 'none';
  if (roles.get(membership.role_id)?.sees_whole_organization === true) return 'role';
  if (user.client_ids.includes(client.id)) return 'client';
  return client.entities.some(({ id }) => user.entity_ids.includes(id)) ? 'entities' : 'none';
}
