import { type Row, type Schema, schemaFingerprint } from '#columns/schema.ts';
import type { Transaction } from '#contract/transactions.ts';
import { toColumns, transactionColumns } from './transaction-columns.ts';

/** A noun kept as columns: what of its rows one filters, sorts and sums by, and how a row is read into them. */
export interface ColumnNoun<R extends ColumnRow> {
  noun: string;
  schema: Schema;
  /** Changes when stored columns can no longer be read. */
  format: string;
  toColumns: (row: R) => Row;
}

/** What every row kept as columns has. */
export interface ColumnRow {
  id: string;
  version?: number;
}

/** Transactions: one set per client. */
export const transactionNoun: ColumnNoun<Transaction> = {
  noun: 'transactions',
  schema: transactionColumns,
  format: schemaFingerprint(transactionColumns),
  toColumns,
};
