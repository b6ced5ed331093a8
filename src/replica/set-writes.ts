import type { RowStore, RowTables } from './row-tables.ts';
import type { SetKey } from './set-errors.ts';
import type { StoreWriting, TableName } from './store.ts';

/** A row that is no more: what is held of it goes where it is of this version or older. Infinity where versions say nothing. */
export interface Removal {
  id: string;
  version: number;
}

/** What is written to a set at once. No row is in both. */
export interface SetChange<R> {
  rows: readonly R[];
  removed: readonly Removal[];
  /** Rows that are of an older version by the server's own word, or of the same one and others, with the version that each is held in. */
  undone?: readonly { row: R; held: number }[];
}

/** What of a change was written. */
export interface StoredChange {
  /** How many rows are new, changed or gone. */
  count: number;
  /** Takes up in memory what is stored now. */
  take: () => void;
  /** What else a change brings about: it is stored already. */
  finish: () => Promise<void>;
}

/** Writes a change within a transaction: nothing else may be written to its set meanwhile. */
export type Storing = (tx: StoreWriting<RowTables>) => Promise<StoredChange>;

/** A set's part of a write. */
export interface SetPart {
  key: SetKey;
  /** Does work while nobody else writes to the set. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Only in its turn. */
  prepare: () => Promise<Storing>;
}

/** What else is written in the same transaction. */
interface Beside {
  tables: readonly TableName<RowTables>[];
  write: (tx: StoreWriting<RowTables>) => Promise<void>;
}

const byKey = (a: SetPart, b: SetPart): number => (`${a.key.noun}/${a.key.set}` < `${b.key.noun}/${b.key.set}` ? -1 : 1);

/**
 * Writes to several sets and tables in one transaction. The turns of the sets are taken in one order, so that no two writes wait for
 * each other. @returns how many rows of the sets are new, changed or gone.
 * @throws ClosedSetError where one of the sets was closed: nothing is written.
 */
export async function writeSets(store: RowStore, parts: readonly SetPart[], beside: Beside): Promise<number> {
  const waiting = parts.toSorted(byKey);
  const prepared: Storing[] = [];
  const next = async (): Promise<number> => {
    const part = waiting.shift();
    if (part) {
      return part.inTurn(async () => {
        prepared.push(await part.prepare());
        return next();
      });
    }
    const tables = new Set([...(parts.length > 0 ? (['cold', 'manifests', 'counts', 'gone'] as const) : []), ...beside.tables]);
    const stored = await store.write([...tables], async (tx) => {
      const changes: StoredChange[] = [];
      for (const storing of prepared) changes.push(await storing(tx));
      await beside.write(tx);
      return changes;
    });
    for (const change of stored) change.take();
    const faults: unknown[] = [];
    // all of them are on the disk, whichever of them cannot be sorted now
    for (const change of stored) await change.finish().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
    return stored.reduce((sum, { count }) => sum + count, 0);
  };
  return next();
}
