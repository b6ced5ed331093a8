import { archiveAsset, listArchivedAssets, unarchiveAsset } from './archived-assets.ts';
import { createClient, listClients, updateClient } from './clients.ts';
import type { Endpoint, GuardedRow } from './endpoint.ts';
import { createEntity, deleteEntity, getEntity, listEntities, updateEntity } from './entities.ts';
import type { MutationInput, MutationName } from './mutations.ts';
import { createOrganization, deleteOrganization, listOrganizations, updateOrganization } from './organizations.ts';
import { deleteView, listSavedViews, saveView } from './saved-views.ts';
import { attachToTicket, submitTicket } from './tickets.ts';
import { markTransfer } from './transaction-matches.ts';
import { selectTransactions } from './transactions.ts';
import { assignUser, listUsers, setUserRole, updateUser } from './users.ts';

/** A row as far as it may be looked at for what made it. */
export type MadeRow = Readonly<Record<string, unknown>> & { id: string };

/** How an edit is sent. */
export interface MutationCall<Input> {
  endpoint: Endpoint;
  /**
   * Where to look for what a call makes, at a server that keeps no keys and may give it an id of its own: a list, and the field it goes by
   * there. A call that makes something and has no such list is not repeated unasked there.
   */
  finds?: { endpoint: Endpoint; input: (input: Input) => Readonly<Record<string, unknown>>; name: string };
}

/** The call of every edit that may wait in the outbox. */
export const mutationCalls: { readonly [N in MutationName]: MutationCall<MutationInput<N>> } = {
  markTransfer: { endpoint: markTransfer },
  saveView: { endpoint: saveView },
  deleteView: { endpoint: deleteView },
  createOrganization: { endpoint: createOrganization, finds: { endpoint: listOrganizations, input: () => ({}), name: 'name' } },
  updateOrganization: { endpoint: updateOrganization },
  deleteOrganization: { endpoint: deleteOrganization },
  createClient: {
    endpoint: createClient,
    finds: { endpoint: listClients, input: ({ organization_id }) => ({ organization_id }), name: 'client_name' },
  },
  updateClient: { endpoint: updateClient },
  createEntity: {
    endpoint: createEntity,
    finds: { endpoint: listEntities, input: ({ client_id }) => ({ client_id }), name: 'entity_name' },
  },
  updateEntity: { endpoint: updateEntity },
  deleteEntity: { endpoint: deleteEntity },
  updateUser: { endpoint: updateUser },
  setUserRole: { endpoint: setUserRole },
  assignUser: { endpoint: assignUser },
  submitTicket: { endpoint: submitTicket },
  attachToTicket: { endpoint: attachToTicket },
  archiveAsset: { endpoint: archiveAsset },
  unarchiveAsset: { endpoint: unarchiveAsset },
};

/** How an edit is sent whose input comes with its name from the outbox and is not known apart from it. */
export function callOf(name: MutationName): MutationCall<unknown> {
  return mutationCalls[name] as MutationCall<never> as MutationCall<unknown>;
}

/**
 * How a row is read from a server that compares no versions: the call, which answers rows or the one, and its input for the row's id. The
 * specification knows no id in a list: such a server may answer a whole page of others.
 */
export const rowReads: Record<GuardedRow['noun'], { endpoint: Endpoint; input: (id: string) => Readonly<Record<string, unknown>> }> = {
  organizations: { endpoint: listOrganizations, input: (id) => ({ id }) },
  clients: { endpoint: listClients, input: (id) => ({ id }) },
  entities: { endpoint: getEntity, input: (id) => ({ id }) },
  users: { endpoint: listUsers, input: (id) => ({ id }) },
  archived_assets: { endpoint: listArchivedAssets, input: (id) => ({ id }) },
  saved_views: { endpoint: listSavedViews, input: () => ({}) },
  transactions: { endpoint: selectTransactions, input: (id) => ({ trx_id: [id] }) },
};
