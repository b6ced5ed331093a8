import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import type { Organization } from '#contract/organizations.ts';
import type { Security } from '#contract/securities.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { ValueHistory } from '#contract/value-histories.ts';
import type { Replica } from './open.ts';
import { withPending } from './outbox.ts';
import { editsByRow, foldRow } from './overlay.ts';
import type { RowNoun, RowStore, RowTables } from './row-tables.ts';
import type { StoreRange } from './store.ts';

const byText = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

function listOf<N extends RowNoun>(rows: RowStore, noun: N, range?: StoreRange): Promise<RowTables[N]['row'][]> {
  return rows.read([noun], (tx) => tx.list(noun, range));
}

/** The matches of which one of some transactions is a leg. */
async function matchesWith(rows: RowStore, trxIds: readonly string[]): Promise<TransactionMatch[]> {
  const found = await rows.read(['transaction_matches'], (tx) =>
    Promise.all(trxIds.flatMap((is) => ['out_trx_id', 'in_trx_id'].map((index) => tx.list('transaction_matches', { index, is })))),
  );
  return [...new Map(found.flat().map((match) => [match.id, match])).values()];
}

export async function organizationsOf({ rows }: Replica): Promise<Organization[]> {
  return (await listOf(rows, 'organizations')).sort((a, b) => byText(a.name, b.name));
}

export async function clientsOf({ rows }: Replica): Promise<Client[]> {
  return (await listOf(rows, 'clients')).sort((a, b) => byText(a.client_name, b.client_name));
}

/** Entities by name, of one client or of all. */
export async function entitiesOf({ rows }: Replica, clientId?: string): Promise<Entity[]> {
  return byName(await listOf(rows, 'entities', clientId === undefined ? {} : { index: 'client_id', is: clientId }));
}

/** Entities in the order in which people look for them. */
export function byName<E extends Pick<Entity, 'entity_name'>>(entities: readonly E[]): E[] {
  return entities.toSorted((a, b) => byText(a.entity_name, b.entity_name));
}

export function entityOf({ rows }: Replica, id: string): Promise<Entity | undefined> {
  return rows.read(['entities'], (tx) => tx.get('entities', id));
}

/** Accounts by name, active and inactive, of an entity or a client. */
export async function accountsOf({ rows }: Replica, of: { entity_id: string } | { client_id: string }): Promise<Account[]> {
  const found = await listOf(
    rows,
    'accounts',
    'entity_id' in of ? { index: 'entity_id', is: of.entity_id } : { index: 'client_id', is: of.client_id },
  );
  return found.sort((a, b) => byText(a.account_name, b.account_name));
}

/** The accounts of all entities, in no order: there may be many thousands. */
export function allAccountsOf({ rows }: Replica): Promise<Account[]> {
  return listOf(rows, 'accounts');
}

/** The accounts and securities that some transactions point to, by id, as far as they are here. */
export function pointedToBy(
  { rows }: Replica,
  transactions: readonly Pick<Transaction, 'account_id' | 'security_id'>[],
): Promise<{ account: Map<string, Account>; security: Map<string, Security> }> {
  const accountIds = transactions.map(({ account_id }) => account_id);
  const securityIds = transactions.flatMap(({ security_id }) => security_id ?? []);
  return rows.read(['accounts', 'securities'], async (tx) => ({
    account: new Map((await tx.getMany('accounts', accountIds)).flatMap((row) => (row ? [[row.id, row]] : []))),
    security: new Map((await tx.getMany('securities', securityIds)).flatMap((row) => (row ? [[row.id, row]] : []))),
  }));
}

/** What there is to do for each entity, by its id; of one whose list never came there is none. */
export async function worklistsOf({ rows }: Replica): Promise<Map<string, EntityWorklist>> {
  return new Map((await listOf(rows, 'entity_worklists')).map((worklist) => [worklist.id, worklist]));
}

/** What entities were worth, each with its id. */
export function valueHistoriesOf({ rows }: Replica): Promise<ValueHistory[]> {
  return listOf(rows, 'value_histories');
}

export async function custodiansOf({ rows }: Replica): Promise<Custodian[]> {
  return (await listOf(rows, 'custodians')).sort((a, b) => byText(a.custodian_name, b.custodian_name));
}

export async function securitiesOf({ rows }: Replica): Promise<Security[]> {
  return (await listOf(rows, 'securities')).sort((a, b) => byText(a.ticker, b.ticker));
}

/** The live matches a transaction is part of, with waiting edits laid over them; rejected pairs come last. */
export async function matchesOfTransaction({ rows, outbox }: Replica, trxId: string): Promise<TransactionMatch[]> {
  const [matches, edits] = await withPending(outbox, () => matchesWith(rows, [trxId]));
  const rank = { APPROVED: 0, PENDING: 1, REJECTED: 2 } as const;
  return matches
    .map((match) => foldRow('transaction_matches', match, edits))
    .sort((a, b) => rank[a.state] - rank[b.state] || byText(a.id, b.id));
}

/** How many matches wait for a decision, by entity; a decision that still waits to be sent counts as made. */
export async function pendingMatchCounts({ rows, outbox }: Replica): Promise<Map<string, number>> {
  const countsHeld = () =>
    rows.read(['entities', 'transaction_matches'], async (tx) => {
      const ids = await tx.keys('entities');
      const pending = (id: string) => tx.count('transaction_matches', { index: '[entity_id+state]', is: [id, 'PENDING'] });
      return Promise.all(ids.map(async (id) => [id, await pending(id)] as const));
    });
  const [counts, edits] = await withPending(outbox, countsHeld);
  const byEntity = new Map(counts);
  const edited = [...editsByRow('transactions', edits).keys()];
  if (edited.length === 0) return byEntity;
  for (const match of await matchesWith(rows, edited)) {
    if (match.state === 'PENDING' && foldRow('transaction_matches', match, edits).state !== 'PENDING')
      byEntity.set(match.entity_id, (byEntity.get(match.entity_id) ?? 1) - 1);
  }
  return byEntity;
}
