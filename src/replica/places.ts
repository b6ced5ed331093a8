import type { EditedNoun, MutationName } from '#contract/mutations.ts';
import type { AssignUserInput } from '#contract/users.ts';
import type { Replica } from './open.ts';
import { pendingMutations } from './outbox.ts';
import { editsByRow, type MarkedRow } from './overlay.ts';
import { shownRows } from './shown-rows.ts';

/** An organization, a client and an entity as the screen shows them. */
export type ShownOrganization = MarkedRow<'organizations'>;
export type ShownClient = MarkedRow<'clients'>;
export type ShownEntity = MarkedRow<'entities'>;

const byText = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

/** Organizations by name, with the edits that wait laid over them. */
export async function shownOrganizationsOf(replica: Replica): Promise<ShownOrganization[]> {
  return (await shownRows(replica, 'organizations')).sort((a, b) => byText(a.name, b.name) || byText(a.id, b.id));
}

/** Clients by name, with the edits that wait laid over them. */
export async function shownClientsOf(replica: Replica): Promise<ShownClient[]> {
  return (await shownRows(replica, 'clients')).sort((a, b) => byText(a.client_name, b.client_name) || byText(a.id, b.id));
}

/** Entities by name, of one client or of all, with the edits that wait laid over them. */
export async function shownEntitiesOf(replica: Replica, clientId?: string): Promise<ShownEntity[]> {
  return (await shownRows(replica, 'entities'))
    .filter((entity) => clientId === undefined || entity.client_id === clientId)
    .sort((a, b) => byText(a.entity_name, b.entity_name) || byText(a.id, b.id));
}

/** The edits that make what others lie in, or are assigned. */
const makers: ReadonlySet<MutationName> = new Set(['createOrganization', 'createClient', 'createEntity']);

/** The edit that is to make a row and was not accepted yet, by id: what is made in it is sent after it. */
export async function makersOf(replica: Replica, noun: EditedNoun, id: string): Promise<string[]> {
  const edits = editsByRow(noun, await pendingMutations(replica.outbox)).get(id) ?? [];
  return edits.filter(({ name }) => makers.has(name)).map((edit) => edit.id);
}

/** The same of all that is assigned to somebody. */
export async function makersOfAssigned(
  replica: Replica,
  { assign_clients, assign_entities }: Pick<AssignUserInput, 'assign_clients' | 'assign_entities'>,
): Promise<string[]> {
  const makers = await Promise.all([
    ...assign_clients.map((id) => makersOf(replica, 'clients', id)),
    ...assign_entities.map((id) => makersOf(replica, 'entities', id)),
  ]);
  return makers.flat();
}
