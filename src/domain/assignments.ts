import type { AssignUserInput, User } from '#contract/users.ts';
import type { ClientOfTree } from './users.ts';

/** What is assigned to a person: clients whole, and entities one by one. */
export interface Assigned {
  clients: ReadonlySet<string>;
  entities: ReadonlySet<string>;
}

/** What is to be assigned to a person and what to be taken away. */
export type AssignmentChange = Omit<AssignUserInput, 'id'>;

/** How much of a branch is assigned. Of a client all is what it has now and what it will have. */
export type Check = 'all' | 'some' | 'none';

export function assignedOf({ client_ids, entity_ids }: Pick<User, 'client_ids' | 'entity_ids'>): Assigned {
  return { clients: new Set(client_ids), entities: new Set(entity_ids) };
}

export function isEntityAssigned({ clients, entities }: Assigned, client: ClientOfTree, entityId: string): boolean {
  return clients.has(client.id) || entities.has(entityId);
}

export function checkOfClient({ clients, entities }: Assigned, client: ClientOfTree): Check {
  if (clients.has(client.id)) return 'all';
  return client.entities.some(({ id }) => entities.has(id)) ? 'some' : 'none';
}

export function checkOfClients(assigned: Assigned, clients: readonly ClientOfTree[]): Check {
  const checks = new Set(clients.map((client) => checkOfClient(assigned, client)));
  if (checks.size === 1 && checks.has('all')) return 'all';
  return checks.has('all') || checks.has('some') ? 'some' : 'none';
}

/** Assigns clients whole, or takes all of them away, with what was assigned of them one by one. */
function withClients({ clients, entities }: Assigned, changed: readonly ClientOfTree[], isAssigned: boolean): Assigned {
  const within = new Set(changed.flatMap((client) => client.entities.map(({ id }) => id)));
  const ids = changed.map(({ id }) => id);
  const others = [...clients].filter((id) => !ids.includes(id));
  return {
    clients: new Set(isAssigned ? [...others, ...ids] : others),
    entities: new Set([...entities].filter((id) => !within.has(id))),
  };
}

/** The other way round: what is not assigned wholly is, and what is, is not. */
export function toggleClients(assigned: Assigned, clients: readonly ClientOfTree[]): Assigned {
  return withClients(assigned, clients, checkOfClients(assigned, clients) !== 'all');
}

/** The same for one entity. Of a client assigned whole the others stay, one by one. */
export function toggleEntity(assigned: Assigned, client: ClientOfTree, entityId: string): Assigned {
  const isWhole = assigned.clients.has(client.id);
  const { clients, entities } = isWhole ? withClients(assigned, [client], false) : assigned;
  const before = isWhole ? [...entities, ...client.entities.map(({ id }) => id)] : [...entities];
  const isAssigned = before.includes(entityId);
  return { clients, entities: new Set(isAssigned ? before.filter((id) => id !== entityId) : [...before, entityId]) };
}

const less = (from: ReadonlySet<string>, to: ReadonlySet<string>): string[] => [...from].filter((id) => !to.has(id)).sort();

/** What is to change for one to become the other. */
export function assignmentChange(before: Assigned, after: Assigned): AssignmentChange {
  return {
    assign_clients: less(after.clients, before.clients),
    unassign_clients: less(before.clients, after.clients),
    assign_entities: less(after.entities, before.entities),
    unassign_entities: less(before.entities, after.entities),
  };
}

export function changeCount(change: AssignmentChange): number {
  return Object.values(change).flat().length;
}
