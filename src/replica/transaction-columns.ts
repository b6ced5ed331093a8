import type { Row, Schema } from '#columns/schema.ts';
import { type MatchState, matchStates } from '#contract/transaction-codes.ts';
import type { Transaction } from '#contract/transactions.ts';
import { negated } from '#domain/amounts.ts';
import { flowOfType, signOfType } from '#domain/transaction-types.ts';

/** How transactions lie in the column engine. Quantity and US dollars are signed by the type; texts load when first searched. */
export const transactionColumns = {
  account_id: 'code',
  entity_id: 'code',
  custodian_id: 'code',
  security_id: 'code',
  trx_type_id: 'small',
  match_state: 'small',
  flow: 'small',
  manual_trx: 'flag',
  updated_trx: 'flag',
  unpriced_trx: 'flag',
  is_unidentified: 'flag',
  quantity: 'decimal',
  price: 'decimal',
  usd_value: 'decimal',
  fee_quantity: 'decimal',
  fee_usd: 'decimal',
  tx_hash: 'text',
  from_address: 'text',
  to_address: 'text',
  description: 'text',
} as const satisfies Schema;

/** The texts a quick search looks through. */
export const searchedTexts = ['tx_hash', 'from_address', 'to_address', 'description'] as const;

/** Which of the totals row's sums a row counts in, by its number in the columns. */
export const flows = ['none', 'in', 'out', 'fees', 'unknown'] as const satisfies readonly ReturnType<typeof flowOfType>[];

/** A match state as a number, in the order the grid sorts by. */
export function matchStateCode(state: MatchState | null): number | null {
  return state === null ? null : matchStates.indexOf(state);
}

/** A quantity or dollar amount with the sign its type gives it. */
export function signedAmount(amount: string | null, typeId: number): string | null {
  return amount !== null && signOfType(typeId) < 0 ? negated(amount) : amount;
}

export function transactionToColumns(row: Transaction): Row {
  const { trx_type_id } = row;
  return {
    key: row.id,
    time: Date.parse(row.trx_date),
    values: {
      account_id: row.account_id,
      entity_id: row.entity_id,
      custodian_id: row.custodian_id,
      security_id: row.security_id,
      // the type is one byte; a number beyond it is none of ours: shown, but not told apart in filters
      trx_type_id: trx_type_id >= 0 && trx_type_id < 255 ? trx_type_id : null,
      match_state: matchStateCode(row.match_state),
      flow: flows.indexOf(flowOfType(trx_type_id)),
      manual_trx: row.manual_trx,
      updated_trx: row.updated_trx,
      unpriced_trx: row.unpriced_trx,
      is_unidentified: row.is_unidentified,
      quantity: signedAmount(row.quantity, trx_type_id),
      price: row.price,
      usd_value: signedAmount(row.usd_value, trx_type_id),
      fee_quantity: row.fee_quantity,
      fee_usd: row.fee_usd,
      tx_hash: row.tx_hash,
      from_address: row.from_address,
      to_address: row.to_address,
      description: row.description,
    },
  };
}
