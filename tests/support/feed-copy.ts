import type { ApiCall } from '#api-client/call.ts';
import { listAccounts } from '#contract/accounts.ts';
import { listArchivedAssets } from '#contract/archived-assets.ts';
import { listCustodians } from '#contract/custodians.ts';
import { listEntityWorklists } from '#contract/entity-worklists.ts';
import { ApiError } from '#contract/errors.ts';
import { type FeedAnswer, type FeedNoun, feedNouns } from '#contract/feed.ts';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listOrganizations } from '#contract/organizations.ts';
import { listSavedViews } from '#contract/saved-views.ts';
import { listSecurities } from '#contract/securities.ts';
import { listTransactionMatches } from '#contract/transaction-matches.ts';
import { listTransactions } from '#contract/transactions.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import { listUsers } from '#contract/users.ts';
import { largestPage } from '#contract/wire.ts';

// What a client of the feed keeps, by the plainest reading of the protocol: the tests compare it with what the lists show.

type Row = { id: string; version: number; [field: string]: unknown };
export type Held = Record<FeedNoun, Map<string, Row>>;

const limit = largestPage;

/** Nobody may read it: as good as an empty list. */
async function rowsOrNone(listing: Promise<unknown[]>): Promise<Row[]> {
  try {
    return (await listing) as Row[];
  } catch (error) {
    if (error instanceof ApiError && error.code === 'permission_denied') return [];
    throw error;
  }
}

function nothing(): Held {
  return Object.fromEntries(feedNouns.map((noun) => [noun, new Map<string, Row>()])) as Held;
}

/** All the lists show of some scopes: what is everybody's, the accounts of clients, the rows of entities. */
export async function listed(call: ApiCall, scopes: readonly string[]): Promise<Held> {
  const held = nothing();
  const keep = async (noun: FeedNoun, listing: Promise<unknown[]>): Promise<void> => {
    for (const row of await rowsOrNone(listing)) held[noun].set(row.id, row);
  };
  for (const key of scopes) {
    const [kind, id = ''] = key.split(':');
    if (kind === 'user') {
      await keep('organizations', call(listOrganizations, { limit }));
      await keep('clients', call(listClients, { limit }));
      await keep('entities', call(listEntities, { limit }));
      await keep('archived_assets', call(listArchivedAssets, { limit }));
      await keep('custodians', call(listCustodians, { active: 'all', limit }));
      await keep('securities', call(listSecurities, { limit }));
      await keep('saved_views', call(listSavedViews, { limit }));
      await keep('users', call(listUsers, { limit }));
    } else if (kind === 'client') {
      for (const is_inactive of [false, true]) await keep('accounts', call(listAccounts, { client_id: id, is_inactive, limit }));
      await keep('entity_worklists', call(listEntityWorklists, { client_id: id, limit }));
      await keep('value_histories', call(listValueHistories, { client_id: id, limit }));
    } else {
      await keep('transactions', call(listTransactions, { entity_id: id, start_date: '2000-01-01', limit }));
      await keep('transaction_matches', call(listTransactionMatches, { entity_id: id, limit }));
    }
  }
  return held;
}

function scopeOf(noun: FeedNoun, row: Row): string {
  if (noun === 'accounts' || noun === 'entity_worklists' || noun === 'value_histories') return `client:${String(row.client_id)}`;
  return noun === 'transactions' || noun === 'transaction_matches' ? `entity:${String(row.entity_id)}` : 'user';
}

/** The copy of one person: follows the feed, and reads lists where the protocol says so. */
export interface Copy {
  held: Held;
  scopes: string[];
  follow: () => Promise<void>;
}

type Ask = (cursor: string | null, scopes: readonly string[], limit?: number) => Promise<FeedAnswer>;

/** Starts a copy: the cursor first, then the lists of every scope one may see. */
export async function aCopy(call: ApiCall, ask: Ask): Promise<Copy> {
  const first = await ask(null, ['user']);
  let { cursor, perm_version } = first;
  const copy: Copy = { held: nothing(), scopes: ['user', ...first.scopes_gained.map((scope) => scope.key)], follow };
  copy.held = await listed(call, copy.scopes);

  function apply({ changes, scopes_lost }: FeedAnswer): void {
    for (const { op, noun, id, version, row } of changes) {
      const rows = copy.held[noun as FeedNoun];
      const newest = rows.get(id)?.version ?? 0;
      if (op === 'put' && version > newest) rows.set(id, row as Row);
      // out is obeyed whatever the version: the row is not older or newer, it is not ours to hold
      if (op === 'out' || (op === 'del' && version > newest)) rows.delete(id);
      // and with one that is deleted what lay in it
      if (noun === 'entities' && op === 'del') leave(id);
    }
    for (const noun of feedNouns)
      for (const row of copy.held[noun].values()) if (scopes_lost.includes(scopeOf(noun, row))) copy.held[noun].delete(row.id);
  }

  function leave(entity: string): void {
    for (const noun of ['entity_worklists', 'value_histories'] as const) copy.held[noun].delete(entity);
    for (const row of copy.held.accounts.values())
      if ((row as Row & { entity_id?: string }).entity_id === entity) copy.held.accounts.delete(row.id);
  }

  async function follow(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const answer = await ask(cursor, copy.scopes, 7);
      apply(answer);
      copy.scopes = copy.scopes.filter((key) => !answer.scopes_lost.includes(key));
      const gained = answer.scopes_gained.map((scope) => scope.key);
      copy.scopes.push(...gained);
      // who may see what has changed: the lists say what there is now
      if (answer.perm_version > perm_version) copy.held = await listed(call, copy.scopes);
      else {
        const more = await listed(call, gained);
        for (const noun of feedNouns) for (const row of more[noun].values()) copy.held[noun].set(row.id, row);
      }
      ({ cursor, perm_version } = answer);
      isMore = answer.has_more;
    }
  }
  return copy;
}
