import { type Row, type Schema, schemaFingerprint } from '#columns/schema.ts';
import type { BalanceSnapshot } from '#contract/balance-snapshots.ts';
import type { DefiBalanceSnapshot } from '#contract/defi-balance-snapshots.ts';
import type { SecurityMasterRow } from '#contract/security-master.ts';
import type { Transaction } from '#contract/transactions.ts';
import { securityMasterColumns, securityMasterToColumns } from './security-master-columns.ts';
import {
  balanceSnapshotColumns,
  balanceSnapshotToColumns,
  defiBalanceSnapshotColumns,
  defiBalanceSnapshotToColumns,
} from './snapshot-columns.ts';
import { transactionColumns, transactionToColumns } from './transaction-columns.ts';

/** What every row kept as columns has. */
export interface ColumnRow {
  id: string;
  version?: number;
  /** The entity whose pull brings the row, and counts it; absent where none does. */
  entity_id?: string;
}

/** A noun kept as columns: what of its rows one filters, sorts and sums by, and how a row is read into them. */
export interface ColumnNoun<R extends ColumnRow> {
  noun: string;
  schema: Schema;
  /** Changes when stored columns can no longer be read. */
  format: string;
  toColumns: (row: R) => Row;
}

function defineNoun<R extends ColumnRow>(noun: string, schema: Schema, toColumns: (row: R) => Row): ColumnNoun<R> {
  return { noun, schema, format: schemaFingerprint(schema), toColumns };
}

/** The nouns with too many rows for a record each. Transactions and snapshots have a set per client, the security master one per price source. */
export const columnNouns = {
  transactions: defineNoun<Transaction>('transactions', transactionColumns, transactionToColumns),
  balanceSnapshots: defineNoun<BalanceSnapshot>('balance_snapshots', balanceSnapshotColumns, balanceSnapshotToColumns),
  defiBalanceSnapshots: defineNoun<DefiBalanceSnapshot>('defi_balance_snapshots', defiBalanceSnapshotColumns, defiBalanceSnapshotToColumns),
  securityMaster: defineNoun<SecurityMasterRow>('security_master', securityMasterColumns, securityMasterToColumns),
};
