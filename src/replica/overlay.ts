import type { ArchivedAsset } from '#contract/archived-assets.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import { type EditedNoun, type MutationInput, type MutationName, mutationNamed } from '#contract/mutations.ts';
import type { Organization } from '#contract/organizations.ts';
import type { SavedView } from '#contract/saved-views.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { User } from '#contract/users.ts';
import { assignedAfter, membershipsAfter } from '#domain/users.ts';
import { stateAfterMark } from '#domain/transfer-matching.ts';
import type { OfDatabase } from './held-rows.ts';
import { isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
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
type Shown<Noun extends EditedNoun> = NounRow[Noun] | (Noun extends MadeNoun ? undefined : never);
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
      // a decided row takes its other proposals away
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

function foldAll<Noun extends EditedNoun>(noun: Noun, base: Shown<Noun>, edits: readonly OutboxRow[]): Shown<Noun> {
  return edits.reduce((row, edit) => {
    const reduce = reducers[edit.name]?.[noun] as Reducer<Noun, unknown> | undefined;
    return reduce ? reduce(row, edit.input, edit) : row;
  }, base);
}

/** A row as the screen shows it: what the server last said, with the edits that wait laid over it. */
export function foldRow<Noun extends EditedNoun>(noun: Noun, base: Shown<Noun>, edits: readonly OutboxRow[]): Shown<Noun> {
  return foldAll(
    noun,
    base,
    edits.filter((edit) => isShown(edit.state) && !isOfNewerBuild(edit)),
  );
}

/** A row with the mark of the edits laid over it; null where it is as the server has it. */
export type MarkedRow<Noun extends EditedNoun> = NounRow[Noun] & OfDatabase & { pending: PendingMark | null };

/**
 * The rows of a noun as the screen shows them: changed, made and removed by the edits that wait, in no order.
 * What the server refused to make has no row to go back to, so it stays in sight, with its mark.
 */
export function foldRows<Noun extends MadeNoun>(
  noun: Noun,
  base: readonly (NounRow[Noun] & OfDatabase)[],
  edits: readonly OutboxRow[],
): MarkedRow<Noun>[] {
  const waiting = editsByRow(noun, edits);
  const held = new Map(base.map((row) => [row.id, row]));
  return [...new Set([...held.keys(), ...waiting.keys()])].flatMap((id): MarkedRow<Noun>[] => {
    const own = waiting.get(id) ?? [];
    const row = held.get(id) as Shown<Noun>;
    const shown = foldRow(noun, row, own) ?? (row === undefined ? foldAll(noun, row, own) : undefined);
    return shown === undefined ? [] : [{ ...shown, pending: markOf(own) } as MarkedRow<Noun>];
  });
}

/** The rows of a noun that waiting edits touch, each with its edits in order. */
export function editsByRow(noun: EditedNoun, edits: readonly OutboxRow[]): Map<string, OutboxRow[]> {
  const byRow = new Map<string, OutboxRow[]>();
  // an edit of a newer build, which this one does not know, waits untouched
  for (const edit of edits.filter((edit) => !isOfNewerBuild(edit))) {
    for (const touched of mutationNamed(edit.name)
      .touches(edit.input)
      .filter((part) => part.noun === noun)) {
      for (const id of touched.ids) byRow.set(id, [...(byRow.get(id) ?? []), edit]);
    }
  }
  return byRow;
}

/** How a pending row is marked on the screen. */
export interface PendingMark {
  state: OutboxRow['state'];
  since: number;
  detail: string | null;
}

export function markOf(edits: readonly OutboxRow[]): PendingMark | null {
  const last = edits.at(-1);
  return last ? { state: last.state, since: last.created_at, detail: last.error?.detail ?? null } : null;
}
