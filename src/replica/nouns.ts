import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Client, Entity, Organization } from '#contract/organizations.ts';
import type { Security } from '#contract/securities.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Replica } from './open.ts';
import { editsByRow, foldRow } from './overlay.ts';

const byText = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true });

export async function organizationsOf({ rows }: Replica): Promise<Organization[]> {
  return (await rows.organizations.toArray()).sort((a, b) => byText(a.name, b.name));
}

export async function clientsOf({ rows }: Replica): Promise<Client[]> {
  return (await rows.clients.toArray()).sort((a, b) => byText(a.client_name, b.client_name));
}

/** Entities by name, of one client or of all. */
export async function entitiesOf({ rows }: Replica, clientId?: string): Promise<Entity[]> {
  const found = clientId === undefined ? rows.entities.toCollection() : rows.entities.where({ client_id: clientId });
  return (await found.toArray()).sort((a, b) => byText(a.entity_name, b.entity_name));
}

export function entityOf({ rows }: Replica, id: string): Promise<Entity | undefined> {
  return rows.entities.get(id);
}

/** Accounts by name, active and inactive, of an entity or a client. */
export async function accountsOf({ rows }: Replica, of: { entity_id: string } | { client_id: string }): Promise<Account[]> {
  return (await rows.accounts.where(of).toArray()).sort((a, b) => byText(a.account_name, b.account_name));
}

export async function custodiansOf({ rows }: Replica): Promise<Custodian[]> {
  return (await rows.custodians.toArray()).sort((a, b) => byText(a.custodian_name, b.custodian_name));
}

export async function securitiesOf({ rows }: Replica): Promise<Security[]> {
  return (await rows.securities.toArray()).sort((a, b) => byText(a.ticker, b.ticker));
}

/** The live matches a transaction is part of, with waiting edits laid over them; rejected pairs come last. */
export async function matchesOfTransaction({ rows, outbox }: Replica, trxId: string): Promise<TransactionMatch[]> {
  const [matches, edits] = await Promise.all([
    rows.transaction_matches.where('out_trx_id').equals(trxId).or('in_trx_id').equals(trxId).toArray(),
    outbox.mutations.orderBy('seq').toArray(),
  ]);
  const rank = { APPROVED: 0, PENDING: 1, REJECTED: 2 } as const;
  return matches
    .map((match) => foldRow('transaction_matches', match, edits))
    .sort((a, b) => rank[a.state] - rank[b.state] || byText(a.id, b.id));
}

/** How many matches wait for a decision, by entity; a decision that still waits to be sent counts as made. */
export async function pendingMatchCounts({ rows, outbox }: Replica): Promise<Map<string, number>> {
  const [entityIds, edits] = await Promise.all([rows.entities.toCollection().primaryKeys(), outbox.mutations.orderBy('seq').toArray()]);
  const counts = await Promise.all(entityIds.map((id) => rows.transaction_matches.where({ entity_id: id, state: 'PENDING' }).count()));
  const byEntity = new Map(entityIds.map((id, index) => [id, counts[index] ?? 0]));
  const edited = [...editsByRow('transactions', edits).keys()];
  if (edited.length === 0) return byEntity;
  const touched = await rows.transaction_matches.where('out_trx_id').anyOf(edited).or('in_trx_id').anyOf(edited).toArray();
  for (const match of touched) {
    if (match.state === 'PENDING' && foldRow('transaction_matches', match, edits).state !== 'PENDING')
      byEntity.set(match.entity_id, (byEntity.get(match.entity_id) ?? 1) - 1);
  }
  return byEntity;
}
