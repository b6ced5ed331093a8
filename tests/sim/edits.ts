import { createClient, updateClient } from '#contract/clients.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type CreateEntityInput, createEntity, deleteEntity, entityFieldsSchema, updateEntity } from '#contract/entities.ts';
import { callOf } from '#contract/mutation-calls.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { userFieldsSchema } from '#contract/users.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import type { Fields } from '#replica/merge.ts';
import { blankEntity } from './model-rows.ts';
import { pickBy } from './random.ts';
import type { SimServer } from './sim-server.ts';
import type { Making } from './made-edit.ts';
import type { World } from './world.ts';

// The edits a person makes of the office, as its forms would say them, and what others make of it.

/** Where an edit is made, and the numbers that choose among what there is. */
export interface Choice {
  world: World;
  one: number;
  other: number;
}

/** What a person says, and what that needs. */
interface Said<N extends MutationName> {
  input: MutationInput<N>;
  making?: Making;
}

type OfficeEdit = Exclude<MutationName, 'saveView' | 'deleteView' | 'markTransfer' | 'attachToTicket'>;

/** More places than these nobody makes: each is pulled again and again. */
const most = { organizations: 3, clients: 3, entities: 5 } as const;

/** A name of few: two people may want the same, be it written otherwise. */
const named = (word: string, by: number): string => `${(by * 64) % 1 < 0.2 ? word.toUpperCase() : word} ${Math.floor(by * 8)}`;

/** What somebody may be in an organization; null is nothing there. */
const roles = ['accountant', 'auditor', null];

/** Each null where there is nothing to make it of. */
export const officeEdits: { [N in OfficeEdit]: (choice: Choice) => Said<N> | null } = {
  createOrganization: ({ world, other }) =>
    hasRoom(world.server, 'organizations') ? { input: { id: world.uuid(), name: named('Office', other) } } : null,
  updateOrganization: ({ world, one, other }) => ofRow(world.rowOf('organizations', one), (id) => ({ id, name: named('Office', other) })),
  deleteOrganization: ({ world, one }) => ofRow(world.rowOf('organizations', one), (id) => ({ id })),
  createClient: ({ world, one, other }) => {
    const organization_id = world.rowOf('organizations', one);
    if (organization_id === undefined || !hasRoom(world.server, 'clients')) return null;
    const input = { id: world.uuid(), organization_id, client_name: named('Client', other) };
    return { input, making: { in: { noun: 'organizations', id: organization_id } } };
  },
  updateClient: ({ world, one, other }) => ofRow(world.rowOf('clients', one), (id) => ({ id, client_name: named('Client', other) })),
  createEntity: ({ world, one, other }) => {
    const client_id = world.rowOf('clients', one);
    if (client_id === undefined || !hasRoom(world.server, 'entities')) return null;
    return { input: newEntity(world, client_id, other), making: { in: { noun: 'clients', id: client_id } } };
  },
  updateEntity: ({ world, one, other }) =>
    ofRow(world.rowOf('entities', one), (id) => ({ ...changeOfEntity(other), id }) as CreateEntityInput),
  deleteEntity: ({ world, one }) => ofRow(world.rowOf('entities', one), (id) => ({ id })),
  updateUser: ({ world, one, other }) =>
    ofRow(
      world.rowOf('users', one),
      (id) => ({ id, ...(other < 0.7 ? { name: named('Person', other) } : { is_enabled: other < 0.85 }) }) as MutationInput<'updateUser'>,
    ),
  setUserRole: ({ world, one, other }) => {
    const organization_id = world.rowOf('organizations', other) ?? '';
    return ofRow(world.rowOf('users', one), (id) => ({ id, organization_id, role_id: pickBy(roles, (other * 7) % 1) ?? null }));
  },
  assignUser: ({ world, one, other }) => ofRow(world.rowOf('users', one), (id) => ({ id, ...assignment(world.server, id, other) })),
  submitTicket: ({ world, one, other }) => {
    const id = world.uuid();
    const input = {
      id,
      headline: `Ticket ${other}`,
      description: 'It does not work',
      priority: 'low',
      reporter: 'person@example.org',
    } as const;
    if (one < 0.4) return { input };
    const file = { name: 'screen.png', type: 'image/png', bytes: new Uint8Array(1 + Math.floor(other * 200)) };
    return { input, making: { behind: { name: 'attachToTicket', input: { ticket_id: id }, file } } };
  },
  archiveAsset: ({ world, one, other }) => {
    const [client_id, security_id] = [world.rowOf('clients', one), pickBy(world.server.securities, other)?.id];
    if (client_id === undefined || security_id === undefined) return null;
    const input = { id: archivedAssetId(client_id, security_id), client_id, security_id, is_spam: (other * 8) % 1 < 0.5 };
    return { input, making: { in: { noun: 'clients', id: client_id } } };
  },
  unarchiveAsset: ({ world, one }) => ofRow(world.rowOf('archived_assets', one), (id) => ({ id })),
};

function ofRow<N extends MutationName>(id: string | undefined, say: (id: string) => MutationInput<N>): Said<N> | null {
  return id === undefined ? null : { input: say(id) };
}

function hasRoom({ office }: SimServer, noun: keyof typeof most): boolean {
  return office[noun].size < most[noun];
}

function newEntity(world: World, client_id: string, by: number): CreateEntityInput {
  return { ...blankEntity, id: world.uuid(), client_id, entity_name: named('Entity', by) };
}

/** One field of a form; the others stay as they were in sight. */
function changeOfEntity(by: number): Fields {
  return by < 0.5 ? { entity_name: named('Entity', by * 2) } : { city: named('City', by) };
}

/** What is assigned to a person is taken away, and what is not is given. */
function assignment({ office, entities, clients }: SimServer, userId: string, by: number) {
  const user = office.users.get(userId);
  const [client, entity] = by < 0.5 ? [pickBy(clients, by * 2)?.id, undefined] : [undefined, pickBy(entities, by * 2 - 1)?.id];
  const split = (id: string | undefined, held: readonly string[] = []): [string[], string[]] =>
    id === undefined ? [[], []] : held.includes(id) ? [[], [id]] : [[id], []];
  const [assign_clients, unassign_clients] = split(client, user?.client_ids);
  const [assign_entities, unassign_entities] = split(entity, user?.entity_ids);
  return { assign_clients, unassign_clients, assign_entities, unassign_entities };
}

/** Whether an edit is made in a form that shows its row, or by a click on it: a row that is not in sight has neither. */
export function isOnShown(name: MutationName): boolean {
  return onShown.has(name);
}

const onShown: ReadonlySet<MutationName> = new Set<MutationName>([
  'updateOrganization',
  'deleteOrganization',
  'updateClient',
  'updateEntity',
  'deleteEntity',
  'updateUser',
  'setUserRole',
  'assignUser',
  'unarchiveAsset',
]);

/** The fields of forms that say all of them again. */
const formFields: Partial<Record<MutationName, readonly string[]>> = {
  updateEntity: Object.keys(entityFieldsSchema.shape),
  updateUser: Object.keys(userFieldsSchema.shape),
};

/** What an edit says in all, given its row as its form showed it; null where there is no such form. */
export function inputOn<N extends MutationName>(name: N, input: MutationInput<N>, seen: Fields | null): MutationInput<N> | null {
  if (!isOnShown(name)) return input;
  if (!seen) return null;
  const fields = formFields[name] ?? [];
  const shown = Object.fromEntries(fields.filter((field) => seen[field] !== undefined).map((field) => [field, seen[field]]));
  return { ...shown, ...input };
}

const otherwise: Partial<Record<MutationName, (by: number) => Fields>> = {
  saveView: (by) => (by < 0.5 ? { name: named('View', by) } : { search: `q=${by}` }),
  createOrganization: (by) => ({ name: named('Office', by) }),
  updateOrganization: (by) => ({ name: named('Office', by) }),
  createClient: (by) => ({ client_name: named('Client', by) }),
  updateClient: (by) => ({ client_name: named('Client', by) }),
  createEntity: changeOfEntity,
  updateEntity: changeOfEntity,
  updateUser: (by) => ({ name: named('Person', by) }),
  submitTicket: (by) => ({ headline: `Ticket ${by}` }),
};

/** What the form of an edit that waits may say otherwise; null where it has none. */
export function saidOtherwise(name: MutationName, by: number): Fields | null {
  return otherwise[name]?.(by) ?? null;
}

/** What somebody else does in the office. */
export interface Deed {
  endpoint: Endpoint;
  input: object;
}

const call = (name: MutationName, input: object): Deed => ({ endpoint: callOf(name).endpoint, input });

/** Somebody else makes a place, or says of one something else; null where there is nothing to make it of. */
export function foreignPlace({ world, one, other }: Choice): Deed | null {
  const { server } = world;
  const part = (one * 10) % 1;
  if (one < 0.1 && hasRoom(server, 'clients')) {
    const organization_id = pickBy([...server.office.organizations.keys()], part) ?? '';
    return { endpoint: createClient, input: { id: world.uuid(), organization_id, client_name: named('Client', other) } };
  }
  if (one < 0.3 && hasRoom(server, 'entities')) {
    const client = pickBy(server.clients, part);
    return client ? { endpoint: createEntity, input: newEntity(world, client.id, other) } : null;
  }
  if (one < 0.5)
    return deedOn(world.rowOf('clients', part), (id) => ({ endpoint: updateClient, input: { id, client_name: named('Client', other) } }));
  if (one < 0.9) {
    const entity = server.office.entities.get(world.rowOf('entities', part) ?? '');
    const fields = entity && inputOn('updateEntity', { ...changeOfEntity(other), id: entity.id } as MutationInput<'updateEntity'>, entity);
    return fields ? { endpoint: updateEntity, input: fields } : null;
  }
  return deedOn(world.rowOf('organizations', part), (id) => call('updateOrganization', { id, name: named('Office', other) }));
}

function deedOn(id: string | undefined, deed: (id: string) => Deed): Deed | null {
  return id === undefined ? null : deed(id);
}

export function foreignDeletion({ world, one, other }: Choice): Deed | null {
  // some are left to work with
  if (world.server.entities.length < 2) return null;
  if (one < 0.2) return deedOn(world.rowOf('organizations', other), (id) => call('deleteOrganization', { id }));
  return deedOn(world.rowOf('entities', other), (id) => ({ endpoint: deleteEntity, input: { id } }));
}

/** Somebody else says something of a person, or of what a client keeps aside. */
export function foreignPerson({ world, one, other }: Choice): Deed | null {
  const kinds = ['updateUser', 'setUserRole', 'assignUser', 'archiveAsset', 'unarchiveAsset'] as const;
  const name = pickBy(kinds, one) ?? 'updateUser';
  const said = officeEdits[name]({ world, one: (one * 10) % 1, other });
  const user = said && world.server.office.users.get(said.input.id);
  const input = said && inputOn<MutationName>(name, said.input, user ?? {});
  return input && call(name, input);
}

/** A client that somebody else deletes; none of the last one. */
export function clientToLose({ world, other }: Choice): string | undefined {
  return world.server.clients.length < 2 ? undefined : pickBy(world.server.clients, other)?.id;
}
