import type { Transaction } from '#contract/transactions.ts';
import { isGoneRow } from '#replica/cold-rows.ts';
import type { ColdRecord } from '#replica/row-tables.ts';
import type { SimDevice } from './sim-device.ts';

const known = new Map<string, Transaction[]>();

/** Rows of a record, read once: records are never written again. */
function parsed(text: string): Transaction[] {
  const rows = known.get(text) ?? (JSON.parse(text) as Transaction[]);
  if (known.size > 2_000) known.clear();
  known.set(text, rows);
  return rows;
}

/** The rows that a device's disk holds, each in the version written last. */
export function rowsOnDisk(device: SimDevice): Map<string, Transaction> {
  const records = device.disk.peek<ColdRecord>(device.rowsName, 'cold').filter(({ noun }) => noun === 'transactions');
  const rows = new Map<string, Transaction>();
  for (const { rows: text } of records.toSorted((a, b) => a.no - b.no)) {
    for (const row of parsed(text)) {
      if (isGoneRow(row)) rows.delete(row.id);
      else rows.set(row.id, row);
    }
  }
  return rows;
}
