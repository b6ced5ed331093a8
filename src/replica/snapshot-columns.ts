import type { Row, Schema } from '#columns/schema.ts';
import type { BalanceSnapshot } from '#contract/balance-snapshots.ts';
import type { DefiBalanceSnapshot } from '#contract/defi-balance-snapshots.ts';

/** How balance snapshots lie in the column engine: by the moment they are of. */
export const balanceSnapshotColumns = {
  account_id: 'code',
  entity_id: 'code',
  custodian_security_id: 'code',
  security_id: 'code',
  initial_balance: 'flag',
  quantity: 'decimal',
  price: 'decimal',
  usd_value: 'decimal',
} as const satisfies Schema;

export function balanceSnapshotToColumns(row: BalanceSnapshot): Row {
  const { account_id, entity_id, custodian_security_id, security_id, initial_balance, quantity, price, usd_value } = row;
  return {
    key: row.id,
    time: Date.parse(row.as_of),
    values: { account_id, entity_id, custodian_security_id, security_id, initial_balance, quantity, price, usd_value },
  };
}

/** How DeFi snapshots lie in the column engine. */
export const defiBalanceSnapshotColumns = {
  account_id: 'code',
  entity_id: 'code',
  custodian_security_id: 'code',
  security_id: 'code',
  blockchain: 'code',
  protocol: 'code',
  balance_type: 'code',
  quantity: 'decimal',
  usd_value: 'decimal',
  contract_address: 'text',
} as const satisfies Schema;

export function defiBalanceSnapshotToColumns(row: DefiBalanceSnapshot): Row {
  const { account_id, entity_id, custodian_security_id, security_id, quantity, usd_value } = row;
  const { blockchain, protocol, balance_type, contract_address } = row;
  return {
    key: row.id,
    time: Date.parse(row.as_of),
    values: {
      account_id,
      entity_id,
      custodian_security_id,
      security_id,
      blockchain,
      protocol,
      balance_type,
      quantity,
      usd_value,
      contract_address,
    },
  };
}
