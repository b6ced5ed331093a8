import type { Account } from '#contract/accounts.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { User } from '#contract/users.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import type { ValueHistory } from '#contract/value-histories.ts';
import { canaryOf, type FigureNoun, signOf } from './sim-server.ts';

// The rows of the model server, with plain defaults.

/** What nobody said of an entity. */
export const blankEntity = {
  entity_type_id: null,
  portfolio_id: null,
  fund_id: null,
  state: null,
  city: null,
  zip_code: null,
  country: null,
  accounting_system_id: null,
  active: true,
};

export function anEntity(
  id: string,
  client: Pick<Client, 'id' | 'organization_id'>,
  entity_name: string,
): Omit<Entity, 'version'> & { id: string } {
  return {
    id,
    client_id: client.id,
    organization_id: client.organization_id,
    entity_name,
    ...blankEntity,
    active_accounts: 2,
    inactive_accounts: 0,
    last_update: null,
  };
}

export function aUser(id: string, name: string, organization_id: string): Omit<User, 'version'> & { id: string } {
  return {
    id,
    email: `${id}@example.org`,
    name,
    is_enabled: true,
    is_superuser: false,
    memberships: [{ organization_id, role_id: 'accountant' }],
    client_ids: [],
    entity_ids: [],
    is_administered: true,
    last_sign_in_on: null,
    invited_until: null,
  };
}

export function anAccount(id: string, entity: Entity, custodian_id: string, account_name: string): Account {
  return {
    id,
    account_name,
    client_id: entity.client_id,
    entity_id: entity.id,
    custodian_id,
    parent_account_id: null,
    account_integration_type_id: 1,
    account_type_id: 1,
    blockchain: null,
    address: signOf(entity.id),
    is_inactive: false,
    last_update: null,
    version: 1,
  };
}

type Figured = Pick<Entity, 'id' | 'client_id'>;
interface Figures {
  entity_worklists: EntityWorklist;
  value_histories: ValueHistory;
}

/** What an entity has of each, in a version. */
export const someFigures: { [N in FigureNoun]: (entity: Figured, version: number) => Figures[N] } = {
  entity_worklists: ({ id, client_id }, version) => ({
    id,
    client_id,
    unreconciled_usd: '0',
    pending_matches: 0,
    pending_usd: '0',
    unpriced: 0,
    unidentified: version,
    unidentified_usd: '0',
    failed_syncs: 0,
    updated_accounts: [{ day: signOf(id), accounts: 1 }],
    version,
  }),
  value_histories: ({ id, client_id }, version) => ({ id, client_id, days: [{ day: signOf(id), value_usd: '1' }], kinds: [], version }),
};

export function aTransaction(id: string, account: Account, security_id: string, at: number, trx_type_id: number): Transaction {
  return {
    id,
    account_id: account.id,
    entity_id: account.entity_id,
    custodian_id: account.custodian_id,
    security_id,
    custodian_security_id: null,
    trx_type_id,
    trx_date: new Date(at).toISOString(),
    quantity: '1.5',
    price: '2',
    usd_value: '3',
    fee_quantity: null,
    fee_security_id: null,
    fee_usd: null,
    tx_hash: `0x${id.replaceAll('-', '')}`,
    from_address: null,
    to_address: null,
    description: canaryOf(account.entity_id),
    trade_group_id: null,
    manual_trx: false,
    updated_trx: false,
    unpriced_trx: false,
    is_unidentified: false,
    match_state: null,
    version: 1,
  };
}
