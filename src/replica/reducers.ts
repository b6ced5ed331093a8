import type { ArchivedAsset } from '#contract/archived-assets.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { EditedNoun, MutationInput, MutationName } from '#contract/mutations.ts';
import type { Organization } from '#contract/organizations.ts';
import type { SavedView } from '#contract/saved-views.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { User } from '#contract/users.ts';
import { assignedAfter, membershipsAfter } from '#domain/users.ts';
import { stateAfterMark } from '#domain/transfer-matching.ts';
import type { OutboxRow } from './outbox-tables.ts';

export interface NounRow {
  transactions: Transaction;
  transaction_matches: TransactionMatch;
  saved_views: SavedView;
  organizations: Organization;
  clients: Client;
  entities: Entity;
  users: User;
  archived_assets: ArchivedAsset;
}

/** The nouns, each kept a row per record, of which edits also make and remove rows; of the others they only change rows there are. */
export type MadeNoun = 'saved_views' | 'organizations' | 'clients' | 'entities' | 'users' | 'archived_assets';
const made: Record<MadeNoun, true> = {
  saved_views: true,
  organizations: true,
  clients: true,
  entities: true,
  users: true,
  archived_assets: true,
};

export function isMadeNoun(noun: string): noun is MadeNoun {
  return Object.hasOwn(made, noun);
}

/** A row before or after an edit; `undefined` is no row. */
export type Shown<Noun extends EditedNoun> = NounRow[Noun] | (Noun extends MadeNoun ? undefined : never);
type Reducer<Noun extends EditedNoun, Input> = (row: Shown<Noun>, input: Input, edit: OutboxRow) => Shown<Noun>;

/** How an edit changes a row of each noun in the view: a pure function that sets, so that applying it twice is applying it once. */
type Reducers<N extends MutationName> = { [Noun in EditedNoun]?: Reducer<Noun, MutationInput<N>> };

function isLeg(match: TransactionMatch, id: string | null): boolean {
  return id !== null && (match.out_trx_id === id || match.in_trx_id === id);
}

/** What an entity has that no form says, before the server does. */
const freshEntity = { organization_id: '', active_accounts: 0, inactive_accounts: 0, last_update: null, version: 0 };

const reducers: { [N in MutationName]: Reducers<N> } = {
  markTransfer: {
    transactions: (row, input) =>
      row.id === input.trx_id || row.id === input.counterpart_id ? { ...row, match_state: stateAfterMark(input) } : row,
    transaction_matches: (row, input) => {
      if (!isLeg(row, input.trx_id) && !isLeg(row, input.counterpart_id)) return row;
      const isPair =
        isLeg(row, input.trx_id) &&
        (input.counterpart_id === null ? row.out_trx_id === null || row.in_trx_id === null : isLeg(row, input.counterpart_id));
      // that two rows are no pair says nothing of their other proposals; any other decision takes these away
      if (!isPair && !input.is_transfer && input.counterpart_id !== null) return row;
      return { ...row, state: isPair ? stateAfterMark(input) : 'REJECTED' };
    },
  },
  saveView: {
    saved_views: (row, input, { created_at }) => ({ version: 0, ...row, ...input, updated_at: new Date(created_at).toISOString() }),
  },
  createOrganization: { organizations: (row, input) => ({ version: 0, ...row, ...input }) },
  // a change of what is gone leaves it gone
  updateOrganization: { organizations: (row, input) => (row ? { ...row, ...input } : row) },
  deleteOrganization: { organizations: (row, { id }) => (row?.id === id ? undefined : row) },
  createClient: { clients: (row, input) => ({ version: 0, ...row, ...input }) },
  updateClient: { clients: (row, input) => (row ? { ...row, ...input } : row) },
  createEntity: { entities: (row, input) => ({ ...freshEntity, ...row, ...input }) },
  updateEntity: { entities: (row, input) => (row ? { ...row, ...input } : row) },
  deleteEntity: { entities: (row, { id }) => (row?.id === id ? undefined : row) },
  updateUser: { users: (row, input) => (row ? { ...row, ...input } : row) },
  setUserRole: { users: (row, input) => (row ? { ...row, memberships: membershipsAfter(row.memberships, input) } : row) },
  assignUser: { users: (row, input) => (row ? { ...row, ...assignedAfter(row, input) } : row) },
  archiveAsset: { archived_assets: (row, input) => ({ version: 0, ...row, ...input }) },
  unarchiveAsset: { archived_assets: (row, { id }) => (row?.id === id ? undefined : row) },
  deleteView: { saved_views: (row, { id }) => (row?.id === id ? undefined : row) },
  submitTicket: {},
  attachToTicket: {},
};

/** A row with all that one edit says laid over it, be it said by the person or by its form. */
export function reduceRow<Noun extends EditedNoun>(noun: Noun, row: Shown<Noun>, edit: OutboxRow): Shown<Noun> {
  const reduce = reducers[edit.name]?.[noun] as Reducer<Noun, unknown> | undefined;
  return reduce ? reduce(row, edit.input, edit) : row;
}
