import type { Transaction } from '#contract/transactions.ts';
import { type goneRow, isGoneRow, storedRows } from '#replica/cold-rows.ts';
import type { ColdRecord } from '#replica/row-tables.ts';
import type { SimDevice } from './sim-device.ts';

const known = new Map<ColdRecord['rows'], Transaction[]>();

/** Rows of a record, read once: records are never written again. */
function parsed(record: ColdRecord): Transaction[] {
  const rows = known.get(record.rows) ?? storedRows<Transaction>(record).all();
  if (known.size > 2_000) known.clear();
  known.set(record.rows, rows);
  return rows;
}

/** A row in a record, or that one went. */
export type StoredRow = Transaction | ReturnType<typeof goneRow>;

/** The records of transactions on a device's disk, in the order of their numbers. */
export function recordsOnDisk(device: SimDevice): { record: ColdRecord; rows: readonly StoredRow[] }[] {
  const cold = device.disk.peek<ColdRecord>(device.rowsName, 'cold').filter(({ noun }) => noun === 'transactions');
  return cold.toSorted((a, b) => a.no - b.no).map((record) => ({ record, rows: parsed(record) }));
}

/** The rows that a device's disk holds, each in the version written last. @param only the set they are in; absent all. */
export function rowsOnDisk(device: SimDevice, only?: string): Map<string, Transaction> {
  const cold = device.disk.peek<ColdRecord>(device.rowsName, 'cold');
  const records = cold.filter(({ noun, set }) => noun === 'transactions' && (only === undefined || set === only));
  const rows = new Map<string, Transaction>();
  for (const record of records.toSorted((a, b) => a.no - b.no)) {
    for (const row of parsed(record)) {
      if (isGoneRow(row)) rows.delete(row.id);
      else rows.set(row.id, row);
    }
  }
  return rows;
}
