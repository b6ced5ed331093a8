import type { Transaction } from '#contract/transactions.ts';
import { type goneRow, isGoneRow, storedRows } from '#replica/cold-rows.ts';
import type { ColdRecord } from '#replica/row-tables.ts';
import type { SimDevice } from './sim-device.ts';

/** A row in a record, or that one went. */
type StoredRow = Transaction | ReturnType<typeof goneRow>;

const known = new Map<ColdRecord['rows'], StoredRow[]>();

/** Rows of a record, read once: records are never written again. */
function parsed(record: ColdRecord): StoredRow[] {
  const rows = known.get(record.rows) ?? storedRows<StoredRow>(record).all();
  if (known.size > 2_000) known.clear();
  known.set(record.rows, rows);
  return rows;
}

type Cold = readonly ColdRecord[];
type Held = ReadonlyMap<string, Transaction>;

/** What was found in records: several checks ask for the same, and they are another array once any is written. */
const heldIn = new WeakMap<Cold, Map<string | undefined, Held>>();

const coldOf = (device: SimDevice): Cold => device.disk.peek<ColdRecord>(device.rowsName, 'cold');

/** What a device's records of transactions say, in the order of their numbers. @param only the set they are in; absent all. */
export function recordsOnDisk(device: SimDevice, only?: string): { set: string; rows: readonly StoredRow[] }[] {
  return recordsIn(coldOf(device), only);
}

function recordsIn(cold: Cold, only: string | undefined): { set: string; rows: readonly StoredRow[] }[] {
  const records = cold.filter(({ noun, set }) => noun === 'transactions' && (only === undefined || set === only));
  return records.toSorted((a, b) => a.no - b.no).map((record) => ({ set: record.set, rows: parsed(record) }));
}

/**
 * The rows that a device's disk holds, each in the version written last; where its entity went to another client, whose set has it by now,
 * in the newer one. @param only the set they are in; absent all.
 */
export function rowsOnDisk(device: SimDevice, only?: string): Held {
  const cold = coldOf(device);
  const bySet = heldIn.get(cold) ?? new Map<string | undefined, Held>();
  heldIn.set(cold, bySet);
  const held = bySet.get(only) ?? rowsIn(cold, only);
  bySet.set(only, held);
  return held;
}

function rowsIn(cold: Cold, only: string | undefined): Held {
  const sets = new Map<string, Map<string, Transaction>>();
  for (const { set, rows } of recordsIn(cold, only)) {
    const held = sets.get(set) ?? new Map<string, Transaction>();
    sets.set(set, held);
    for (const row of rows) {
      if (isGoneRow(row)) held.delete(row.id);
      else held.set(row.id, row);
    }
  }
  const [all = new Map<string, Transaction>(), ...others] = sets.values();
  for (const row of others.flatMap((held) => [...held.values()]))
    if ((all.get(row.id)?.version ?? -1) < (row.version ?? 0)) all.set(row.id, row);
  return all;
}
