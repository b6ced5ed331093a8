import type { Transaction } from '#contract/transactions.ts';

/** A transaction as a server answers it, of entity `e` and account `a` unless said otherwise. */
export function aPulledRow(row: Partial<Transaction> & Pick<Transaction, 'id' | 'trx_date'>): Transaction {
  return {
    account_id: 'a',
    entity_id: 'e',
    custodian_id: 'k',
    security_id: null,
    custodian_security_id: null,
    trx_type_id: 1,
    quantity: '1',
    price: null,
    usd_value: null,
    fee_quantity: null,
    fee_security_id: null,
    fee_usd: null,
    tx_hash: null,
    from_address: null,
    to_address: null,
    description: null,
    trade_group_id: null,
    manual_trx: false,
    updated_trx: false,
    unpriced_trx: true,
    is_unidentified: false,
    match_state: null,
    version: 1,
    ...row,
  };
}
