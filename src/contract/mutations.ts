import type { ArchiveAssetInput, UnarchiveAssetInput } from './archived-assets.ts';
import type { CreateClientInput, UpdateClientInput } from './clients.ts';
import type { GuardedRow } from './endpoint.ts';
import type { CreateEntityInput, DeleteEntityInput, UpdateEntityInput } from './entities.ts';
import type { CreateOrganizationInput, DeleteOrganizationInput, UpdateOrganizationInput } from './organizations.ts';
import type { DeleteViewInput, SaveViewInput } from './saved-views.ts';
import type { AttachToTicketInput, SubmitTicketInput, SubmittedTicket } from './tickets.ts';
import type { DecidedMatch, MarkTransferInput } from './transaction-matches.ts';
import type { AssignUserInput, SetUserRoleInput, UpdateUserInput } from './users.ts';

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
  /** Those that change together in the two rows an edit rests on: who was told so of the one was told of the other. */
  together?: readonly string[];
  /** Whether a row is decided together with another one, which none of its fields names: in another version it may be another one. */
  isPaired?: (fields: Readonly<Record<string, unknown>>) => boolean;
}

/** A row that a change left in a version, with the fields that it decided. */
export interface ChangedRow extends GuardedRow {
  version: number;
  fields: Readonly<Record<string, unknown>>;
}

/** What the copy needs to know of an edit by its name; the call it is sent by is in `mutation-calls.ts`. */
export interface Mutation<Input> {
  /** The row it is bound to, which its call's `ifMatch` names; null for one that is bound to none. */
  about: GuardedRow | null;
  /** Edits of one lane replay one after another; lanes do not wait for each other. */
  lane: (input: Input) => string;
  /** The noun, kept a row per record, whose row the answer is, or whose row is gone; null where the copy keeps no such rows: the receipt keeps the answer. */
  answers: Exclude<EditedNoun, 'transactions'> | null;
  /** Rows the edit makes, changes or removes; those of nouns kept as columns are read back once it is accepted. */
  touches: (input: Input) => { noun: EditedNoun; ids: string[] }[];
  /** The row that is no more once the edit is accepted. Without it the answer is the row as it is now. */
  removes?: (input: Input) => string;
  /** How it is brought together with what others made of the row it is about. */
  merge: MergeRule;
  /** The field of a name that no two rows of one place share: it may have to be let go of first. */
  named?: string;
  /** Whether a row says already all that the edit wants, where its fields alone tell. */
  isMet?: (input: Input, row: Readonly<Record<string, unknown>>) => boolean;
  /** What it becomes once the edit of its lane that it follows, and whose answer the receipt keeps, was answered. */
  heed?: (input: Input, answer: unknown) => unknown;
  /** What of its answer is the row, and what rows it says were changed besides, each from the version before the one it names; null where it says nothing of that. */
  tells?: (answer: unknown) => { row: unknown; changed: readonly ChangedRow[] | null };
  /** The edit says all there is to say of its lane's row: earlier ones of the lane that were not sent give way to it. */
  isWhole?: true;
  /** It says what is to change of lists in the row, not what these are to be: kept, it changes them as somebody else left them. */
  saysChanges?: true;
  /** It says all that its form shows of the row: those of its name right before it in its lane that wait to be sent give way to it, and their words are in it. */
  isForm?: true;
}

const viewFields = ['name', 'list', 'search'] as const;
// what a form says of them is all that an edit of them is compared by
const organizationFields = ['name'] as const satisfies readonly (keyof UpdateOrganizationInput)[];
const clientFields = ['client_name'] as const satisfies readonly (keyof UpdateClientInput)[];
const entityFields = [
  'entity_name',
  'entity_type_id',
  'portfolio_id',
  'fund_id',
  'state',
  'city',
  'zip_code',
  'country',
  'accounting_system_id',
  'allocation_method_id',
  'active',
] as const satisfies readonly (keyof UpdateEntityInput)[];
// edits of a person are of three kinds in one lane: what one is made on is told through the others
const userFields = ['name', 'is_enabled', 'memberships', 'client_ids', 'entity_ids'] as const;

/**
 * The edits that may wait in the outbox, by name. An outbox row holds a name and an input; the contract gives the rest,
 * so a new edit is one line here, with its call beside, and never a change of the replay. No schema is needed to know it: whatever shows
 * rows is there before any is made.
 */
export const mutations = {
  markTransfer: {
    about: { noun: 'transactions', id: 'trx_id' },
    lane: (input) => `trx:${input.trx_id}`,
    answers: 'transaction_matches',
    touches: (input) => [{ noun: 'transactions', ids: [input.trx_id, ...(input.counterpart_id === null ? [] : [input.counterpart_id])] }],
    merge: {
      merges: [],
      asks: ['match_state', 'quantity', 'security_id', 'trx_type_id', 'trx_date'],
      together: ['match_state'],
      isPaired: ({ match_state }) => match_state === 'APPROVED',
    },
    tells: (answer) => {
      const { changed_transactions: told, ...row } = answer as DecidedMatch;
      const changed = told?.map(({ id, version, ...fields }) => ({ noun: 'transactions' as const, id, version, fields }));
      return { row, changed: changed ?? null };
    },
    // that it is a transfer does not say with which other row
    isMet: ({ is_transfer }, { match_state }) => !is_transfer && match_state === 'REJECTED',
  } satisfies Mutation<MarkTransferInput>,
  saveView: {
    about: { noun: 'saved_views', id: 'id' },
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    merge: { merges: viewFields, asks: [] },
    named: 'name',
    isWhole: true,
  } satisfies Mutation<SaveViewInput>,
  deleteView: {
    about: { noun: 'saved_views', id: 'id' },
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    removes: ({ id }) => id,
    // what somebody put into it since is not deleted unseen
    merge: { merges: [], asks: viewFields },
    isWhole: true,
  } satisfies Mutation<DeleteViewInput>,
  createOrganization: {
    about: { noun: 'organizations', id: 'id' },
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    merge: { merges: organizationFields, asks: [] },
    named: 'name',
  } satisfies Mutation<CreateOrganizationInput>,
  updateOrganization: {
    about: { noun: 'organizations', id: 'id' },
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    merge: { merges: organizationFields, asks: [] },
    named: 'name',
    isForm: true,
  } satisfies Mutation<UpdateOrganizationInput>,
  deleteOrganization: {
    about: { noun: 'organizations', id: 'id' },
    lane: ({ id }) => `organization:${id}`,
    answers: 'organizations',
    touches: ({ id }) => [{ noun: 'organizations', ids: [id] }],
    removes: ({ id }) => id,
    merge: { merges: [], asks: organizationFields },
    isWhole: true,
  } satisfies Mutation<DeleteOrganizationInput>,
  createClient: {
    about: { noun: 'clients', id: 'id' },
    lane: ({ id }) => `client:${id}`,
    answers: 'clients',
    touches: ({ id }) => [{ noun: 'clients', ids: [id] }],
    merge: { merges: clientFields, asks: [] },
    named: 'client_name',
  } satisfies Mutation<CreateClientInput>,
  updateClient: {
    about: { noun: 'clients', id: 'id' },
    lane: ({ id }) => `client:${id}`,
    answers: 'clients',
    touches: ({ id }) => [{ noun: 'clients', ids: [id] }],
    merge: { merges: clientFields, asks: [] },
    named: 'client_name',
    isForm: true,
  } satisfies Mutation<UpdateClientInput>,
  createEntity: {
    about: { noun: 'entities', id: 'id' },
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    merge: { merges: entityFields, asks: [] },
    named: 'entity_name',
  } satisfies Mutation<CreateEntityInput>,
  updateEntity: {
    about: { noun: 'entities', id: 'id' },
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    merge: { merges: entityFields, asks: [] },
    named: 'entity_name',
    isForm: true,
  } satisfies Mutation<UpdateEntityInput>,
  deleteEntity: {
    about: { noun: 'entities', id: 'id' },
    lane: ({ id }) => `entity:${id}`,
    answers: 'entities',
    touches: ({ id }) => [{ noun: 'entities', ids: [id] }],
    removes: ({ id }) => id,
    // what somebody wrote into it since is not deleted unseen
    merge: { merges: [], asks: entityFields },
    isWhole: true,
  } satisfies Mutation<DeleteEntityInput>,
  updateUser: {
    about: { noun: 'users', id: 'id' },
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
    isForm: true,
  } satisfies Mutation<UpdateUserInput>,
  setUserRole: {
    about: { noun: 'users', id: 'id' },
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
    saysChanges: true,
  } satisfies Mutation<SetUserRoleInput>,
  assignUser: {
    about: { noun: 'users', id: 'id' },
    lane: ({ id }) => `user:${id}`,
    answers: 'users',
    touches: ({ id }) => [{ noun: 'users', ids: [id] }],
    merge: { merges: userFields, asks: [] },
    saysChanges: true,
  } satisfies Mutation<AssignUserInput>,
  submitTicket: {
    about: null,
    lane: ({ id }) => `ticket:${id}`,
    answers: null,
    touches: () => [],
    merge: { merges: [], asks: [] },
  } satisfies Mutation<SubmitTicketInput>,
  attachToTicket: {
    about: null,
    lane: ({ ticket_id }) => `ticket:${ticket_id}`,
    answers: null,
    touches: () => [],
    merge: { merges: [], asks: [] },
    // a service desk may give the ticket an id of its own
    heed: (input, answer) => ({ ...input, ticket_id: (answer as SubmittedTicket).id }),
  } satisfies Mutation<AttachToTicketInput>,
  archiveAsset: {
    about: { noun: 'archived_assets', id: 'id' },
    lane: ({ id }) => `archived:${id}`,
    answers: 'archived_assets',
    touches: ({ id }) => [{ noun: 'archived_assets', ids: [id] }],
    merge: { merges: ['is_spam'], asks: [] },
    isMet: ({ is_spam }, row) => row.is_spam === is_spam,
    isWhole: true,
  } satisfies Mutation<ArchiveAssetInput>,
  unarchiveAsset: {
    about: { noun: 'archived_assets', id: 'id' },
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
