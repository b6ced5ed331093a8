import { storedRows } from '#replica/cold-rows.ts';
import type { ColdRecord } from '#replica/row-tables.ts';
import type { Store, TableName, Tables } from '#replica/store.ts';

/** All rows of a table, by key. */
export function listed<T extends Tables, N extends TableName<T>>(store: Store<T>, table: N): Promise<T[N]['row'][]> {
  return store.read([table], (tx) => tx.list(table));
}

/** Writes rows beside the product's own code, as damage or another build would. */
export function planted<T extends Tables, N extends TableName<T>>(store: Store<T>, table: N, rows: T[N]['row'][]): Promise<void> {
  return store.write([table], (tx) => tx.putMany(table, rows));
}

/** The entities whose rows are in a record of full rows. */
export function entitiesIn(record: ColdRecord): (string | undefined)[] {
  return storedRows<{ entity_id?: string }>(record)
    .all()
    .map(({ entity_id }) => entity_id);
}
