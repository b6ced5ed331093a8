import { z } from 'zod';
import { listAccounts } from '#contract/accounts.ts';
import { listArchivedAssets } from '#contract/archived-assets.ts';
import { listCustodians } from '#contract/custodians.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listEntityWorklists } from '#contract/entity-worklists.ts';
import { listOrganizations } from '#contract/organizations.ts';
import { listSavedViews } from '#contract/saved-views.ts';
import { listSecurities } from '#contract/securities.ts';
import { countTransactionMatches, listTransactionMatches } from '#contract/transaction-matches.ts';
import { listTransactions, selectTransactions } from '#contract/transactions.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import { listUsers } from '#contract/users.ts';
import { type ScopeKind, scopeKey } from '#replica/scopes.ts';
import type { RowNoun } from '#replica/row-tables.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** One replicated noun kept a row per record: what to ask, and how old it may be while somebody looks. */
export interface Stream {
  noun: RowNoun;
  /** What it is pulled for. */
  per: ScopeKind;
  /** Age at which looking at the scope triggers a pull: the specification's cache times (section 9). */
  refreshAfterMs: number;
  endpoint: Endpoint;
  /** The inputs whose answers together make up the scope; `id` is the client's or entity's. */
  inputs: (id: string) => Record<string, unknown>[];
  /** What tells how many rows the list has, of the same inputs. */
  count?: Endpoint;
  /** How a list of which the server gives no second page is asked for in parts: those of each row of another noun. */
  parts?: { of: RowNoun; by: string };
}

/** Every replicated noun but the columnar ones, in the order a first pull reads them: what others refer to comes first. */
export const streams: readonly Stream[] = [
  { noun: 'organizations', per: 'user', refreshAfterMs: 10 * minute, endpoint: listOrganizations, inputs: () => [{}] },
  {
    noun: 'clients',
    per: 'user',
    refreshAfterMs: 10 * minute,
    endpoint: listClients,
    inputs: () => [{}],
    parts: { of: 'organizations', by: 'organization_id' },
  },
  {
    noun: 'entities',
    per: 'user',
    refreshAfterMs: 10 * minute,
    endpoint: listEntities,
    inputs: () => [{}],
    parts: { of: 'clients', by: 'client_id' },
  },
  { noun: 'archived_assets', per: 'user', refreshAfterMs: 10 * minute, endpoint: listArchivedAssets, inputs: () => [{}] },
  { noun: 'custodians', per: 'user', refreshAfterMs: 24 * hour, endpoint: listCustodians, inputs: () => [{ active: 'all' }] },
  {
    noun: 'securities',
    per: 'user',
    refreshAfterMs: hour,
    endpoint: listSecurities,
    inputs: () => [{ order_by: 'id', order_by_asc: true }],
  },
  { noun: 'saved_views', per: 'user', refreshAfterMs: minute, endpoint: listSavedViews, inputs: () => [{}] },
  { noun: 'users', per: 'user', refreshAfterMs: 10 * minute, endpoint: listUsers, inputs: () => [{ order_by: 'id', order_by_asc: true }] },
  {
    noun: 'accounts',
    per: 'client',
    refreshAfterMs: 30 * second,
    endpoint: listAccounts,
    inputs: (client_id) => [{ client_id }, { client_id, is_inactive: true }],
  },
  {
    noun: 'entity_worklists',
    per: 'client',
    refreshAfterMs: minute,
    endpoint: listEntityWorklists,
    inputs: (client_id) => [{ client_id }],
  },
  {
    noun: 'value_histories',
    per: 'client',
    refreshAfterMs: 10 * minute,
    endpoint: listValueHistories,
    inputs: (client_id) => [{ client_id }],
  },
  {
    noun: 'transaction_matches',
    per: 'entity',
    refreshAfterMs: minute,
    endpoint: listTransactionMatches,
    inputs: (entity_id) => [{ entity_id }],
    count: countTransactionMatches,
  },
];

/** A row's shape by its noun; undefined for a noun that is not replicated. Rows of the server are checked by it before they are kept. */
export function rowSchemaOf(noun: string): z.ZodType<{ id: string }> | undefined {
  const { output } = (noun === 'transactions' ? listTransactions : streams.find((stream) => stream.noun === noun)?.endpoint) ?? {};
  return output instanceof z.ZodArray ? (output.element as z.ZodType<{ id: string }>) : undefined;
}

/** The noun of the rows that an endpoint gives as they are pulled; null for any other. */
export function nounOfList(endpoint: Endpoint): RowNoun | 'transactions' | null {
  if (endpoint === listTransactions || endpoint === selectTransactions) return 'transactions';
  return streams.find((stream) => stream.endpoint === endpoint)?.noun ?? null;
}

/** Age at which an entity's recent transactions are read again while somebody looks. */
export const transactionsRefreshAfterMs = minute;
/** Age at which even what the feed keeps true is read again, to be sure. */
export const followedRefreshAfterMs = 24 * hour;
/** Age at which anything nobody looks at is read again. */
export const backgroundRefreshAfterMs = 10 * minute;

/** The scope a row of a noun is pulled for; a row names its client or entity itself. */
export function scopeOfRow(noun: RowNoun, row: Readonly<Record<string, unknown>>): string {
  const per = streams.find((stream) => stream.noun === noun)?.per ?? 'user';
  return scopeKey(per, String(row[`${per}_id`]));
}
