import { archiveAsset, type ArchiveAssetInput, listArchivedAssets, unarchiveAsset, type UnarchiveAssetInput } from './archived-assets.ts';
import { clientFieldsSchema, createClient, type CreateClientInput, listClients, updateClient, type UpdateClientInput } from './clients.ts';
import type { Endpoint, GuardedRow } from './endpoint.ts';
import {
  createEntity,
  type CreateEntityInput,
  deleteEntity,
  type DeleteEntityInput,
  entityFieldsSchema,
  getEntity,
  listEntities,
  updateEntity,
  type UpdateEntityInput,
} from './entities.ts';
import {
  createOrganization,
  type CreateOrganizationInput,
  deleteOrganization,
  type DeleteOrganizationInput,
  listOrganizations,
  organizationFieldsSchema,
  updateOrganization,
  type UpdateOrganizationInput,
} from './organizations.ts';
import { type DeleteViewInput, deleteView, listSavedViews, type SaveViewInput, saveView } from './saved-views.ts';
import { type AttachToTicketInput, attachToTicket, type SubmitTicketInput, submitTicket, type SubmittedTicket } from './tickets.ts';
import { type MarkTransferInput, markTransfer } from './transaction-matches.ts';
import { selectTransactions } from './transactions.ts';
import {
  assignUser,
  type AssignUserInput,
  listUsers,
  setUserRole,
  type SetUserRoleInput,
  updateUser,
  type UpdateUserInput,
  userFieldsSchema,
} from './users.ts';

/** The replicated nouns an edit can touch. */
export type EditedNoun =
  | 'transactions'
  | 'transaction_matches'
  | 'saved_views'
  | 'organizations'
  | 'clients'
  | 'entities'
  | 'users'
  | 'archived_assets';

/** What becomes of the fields of a row that an edit is made on and somebody else changed meanwhile. */
export interface MergeRule {
  /** Merge by themselves where only one side changed them; where both did, otherwise, the person decides. */
  merges: readonly string[];
  /** Money, and what a decision about money rests on: whatever somebody else changed of it is for the person to decide. */
  asks: readonly string[];
}

/** A row as far as it may be looked at for what made it. */
export type MadeRow = Readonly<Record<string, unknown>> & { id: string };

/** All an outbox row's name stands for. */
export interface Mutation<Input> {
  endpoint: Endpoint;
  /** Edits of one lane replay one after another; lanes do not wait for each other. */
  lane: (input: Input) => string;
  /** The noun, kept a row per record, whose row the answer is, or whose row is gone; null where the copy keeps no such rows: the receipt keeps the answer. */
  answers: Exclude<EditedNoun, 'transactions'> | null;
  /** Rows the edit makes, changes or removes; those of nouns kept as columns are read back once it is accepted. */
  touches: (input: Input) => { noun: EditedNoun; ids: string[] }[];
  /** The row that is no more once the edit is accepted. Without it the answer is the row as it is now. */
  removes?: (input: Input) => string;
  /** How it is brought together with what others made of the row its call's `ifMatch` names. */
  merge: MergeRule;
  /** Whether a row says already all that the edit wants, where its fields alone tell. */
  isMet?: (input: Input, row: Readonly<Record<string, unknown>>) => boolean;
  /** What it becomes once the edit of its lane that it follows, and whose answer the receipt keeps, was answered. */
  heed?: (input: Input, answer: unknown) => unknown;
  /**
   * Where to look for what a call makes, at a server that keeps no keys and may give it an id of its own: a list, and the field it goes by
   * there. A call that makes something and has no such list is not repeated unasked there.
   */
  finds?: { endpoint: Endpoint; input: (input: Input) => Readonly<Record<string, unknown>>; name: string };
  /** The edit says all there is to say of its lane's row: earlier ones of the lane that were not sent give way to it. */
  isWhole?: true;
}

const viewFields = ['name', 'list', 'search'] as const;
// what a form says of them is all that an edit of them is compared by
const organizationFields = Object.keys(organizationFieldsSchema.shape);
const clientFields = Object.keys(clientFieldsSchema.shape);
const entityFields = Object.keys(entityFieldsSchema.shape);
// edits of a person are of three kinds in one lane: what one is made on is told through the others
const userFields = [...Object.keys(userFieldsSchema.shape), 'memberships', 'client_ids', 'entity_ids'];

/**
 * The edits that may wait in the outbox, by name. An outbox row holds a name and an input; the contract gives the rest,
 * so a new edit is one line here and never a change of the replay.
 */
export const mutations = {
  markTransfer: {
    endpoint: markTransfer,
    lane: (input) => `trx:${input.trx_id}`,
    answers: 'transaction_matches',
    touches: (input) => [{ noun: 'transactions', ids: [input.trx_id, ...(input.counterpart_id === null ? [] : [input.counterpart_id])] }],
    merge: { merges: [], asks: ['match_state', 'quantity', 'security_id', 'trx_type_id', 'trx_date'] },
    // that it is a transfer does not say with which other row
    isMet: ({ is_transfer }, { match_state }) => !is_transfer && match_state === 'REJECTED',
  } satisfies Mutation<MarkTransferInput>,
  saveView: {
    endpoint: saveView,
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    merge: { merges: viewFields, asks: [] },
    isWhole: true,
  } satisfies Mutation<SaveViewInput>,
  deleteView: {
    endpoint: deleteView,
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    removes: ({ id }) => id,
    // what somebody put into it since is not deleted unseen
    merge: { merges: [], asks: viewFields },
    isWhole: true,
  } satisfies Mutation<DeleteViewInput>,
  createOrganization: {
    endpoint: createOrganization,
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    merge: { merges: organizationFields, asks: [] },
    finds: {
      endpoint: listOrganizations,
      input: () => ({}),
      name: 'name',
    },
  } satisfies Mutation<CreateOrganizationInput>,
  updateOrganization: {
    endpoint: updateOrganization,
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    merge: { merges: organizationFields, asks: [] },
  } satisfies Mutation<UpdateOrganizationInput>,
  deleteOrganization: {
    endpoint: deleteOrganization,
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    removes: ({ id }) => id,
    merge: { merges: [], asks: organizationFields },
  } satisfies Mutation<DeleteOrganizationInput>,
  createClient: {
    endpoint: createClient,
    lane: ({ id }) => `client:${id}`,
    answers: 'clients',
    touches: ({ id }) => [{ noun: 'clients', ids: [id] }],
    merge: { merges: clientFields, asks: [] },
    finds: {
      endpoint: listClients,
      input: ({ organization_id }) => ({ organization_id }),
      name: 'client_name',
    },
  } satisfies Mutation<CreateClientInput>,
  updateClient: {
    endpoint: updateClient,
    lane: ({ id }) => `client:${id}`,
    answers: 'clients',
    touches: ({ id }) => [{ noun: 'clients', ids: [id] }],
    merge: { merges: clientFields, asks: [] },
  } satisfies Mutation<UpdateClientInput>,
  createEntity: {
    endpoint: createEntity,
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    merge: { merges: entityFields, asks: [] },
    finds: {
      endpoint: listEntities,
      input: ({ client_id }) => ({ client_id }),
      name: 'entity_name',
    },
  } satisfies Mutation<CreateEntityInput>,
  updateEntity: {
    endpoint: updateEntity,
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    merge: { merges: entityFields, asks: [] },
  } satisfies Mutation<UpdateEntityInput>,
  deleteEntity: {
    endpoint: deleteEntity,
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    removes: ({ id }) => id,
    // what somebody wrote into it since is not deleted unseen
    merge: { merges: [], asks: entityFields },
  } satisfies Mutation<DeleteEntityInput>,
  updateUser: {
    endpoint: updateUser,
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
  } satisfies Mutation<UpdateUserInput>,
  setUserRole: {
    endpoint: setUserRole,
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
  } satisfies Mutation<SetUserRoleInput>,
  assignUser: {
    endpoint: assignUser,
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
  } satisfies Mutation<AssignUserInput>,
  submitTicket: {
    endpoint: submitTicket,
    lane: ({ id }) => `ticket:${id}`,
    answers: null,
    touches: () => [],
    merge: { merges: [], asks: [] },
  } satisfies Mutation<SubmitTicketInput>,
  attachToTicket: {
    endpoint: attachToTicket,
    lane: ({ ticket_id }) => `ticket:${ticket_id}`,
    answers: null,
    touches: () => [],
    merge: { merges: [], asks: [] },
    // a service desk may give the ticket an id of its own
    heed: (input, answer) => ({ ...input, ticket_id: (answer as SubmittedTicket).id }),
  } satisfies Mutation<AttachToTicketInput>,
  archiveAsset: {
    endpoint: archiveAsset,
    lane: ({ id }) => `archived:${id}`,
    answers: 'archived_assets',
    touches: ({ id }) => [{ noun: 'archived_assets', ids: [id] }],
    merge: { merges: ['is_spam'], asks: [] },
    isMet: ({ is_spam }, row) => row.is_spam === is_spam,
    isWhole: true,
  } satisfies Mutation<ArchiveAssetInput>,
  unarchiveAsset: {
    endpoint: unarchiveAsset,
    lane: ({ id }) => `archived:${id}`,
    answers: 'archived_assets',
    touches: ({ id }) => [{ noun: 'archived_assets', ids: [id] }],
    removes: ({ id }) => id,
    // what somebody called spam since is not shown again unseen
    merge: { merges: [], asks: ['is_spam'] },
    isWhole: true,
  } satisfies Mutation<UnarchiveAssetInput>,
};

export type MutationName = keyof typeof mutations;
export type MutationInput<N extends MutationName> = Parameters<(typeof mutations)[N]['lane']>[0];

/** What a name stands for, where the input comes with the name from the outbox and is not known apart from it. */
export function mutationNamed(name: MutationName): Mutation<unknown> {
  return mutations[name] as Mutation<never> as Mutation<unknown>;
}

/** The rows of nouns kept as columns that an edit touches: they are read back once it is accepted. */
export function touchedTransactions({ name, input }: { name: MutationName; input: unknown }): string[] {
  const parts = mutationNamed(name).touches(input);
  return parts.filter(({ noun }) => noun === 'transactions').flatMap(({ ids }) => ids);
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
