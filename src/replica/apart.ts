import { Dexie, type Table } from 'dexie';
import { roomIds } from './ballast.ts';

// Chromium keeps the databases of a site in one log, and throws all of them away where it finds that a crash once tore a record of it. A
// log into which rows are downloaded is torn most easily. What cannot be had from the server again is in a storage bucket, whose log is
// its own, wherever the browser has buckets.

interface StorageBuckets {
  open: (name: string, options: { durability: 'strict'; persisted: true }) => Promise<{ indexedDB: IDBFactory }>;
}

const bucketName = 'apart';

/** Where databases are that no damage to others may reach: the site's own place in browsers that have no other. */
export async function apartFactory(): Promise<IDBFactory> {
  const { storageBuckets } = (globalThis.navigator ?? {}) as { storageBuckets?: StorageBuckets };
  return storageBuckets ? (await storageBuckets.open(bucketName, { durability: 'strict', persisted: true })).indexedDB : indexedDB;
}

type Row = Record<string, unknown>;

/** Adds rows that are not there yet, by their id; one whose number another took meanwhile is given the next. */
async function addMissing(table: Table<Row>, rows: readonly Row[]): Promise<void> {
  const { auto = false, keyPath } = table.schema.primKey;
  const key = String(keyPath);
  const held = await table.toArray();
  const ids = new Set(held.map(({ id }) => id ?? null));
  const keys = new Set(held.map((row) => row[key]));
  for (const row of rows) {
    if (row.id !== undefined && ids.has(row.id)) continue;
    const { [key]: own, ...rest } = row;
    if (!keys.has(own)) await table.add(row);
    else if (auto) await table.add(rest);
  }
}

/**
 * Moves into a database what one of its name holds in the site's own place: builds before had it there, and so has a browser that knew no
 * buckets. Where it breaks off it is done again, and adds nothing twice.
 */
export async function moveIn(to: Dexie): Promise<void> {
  const { name } = to;
  const isThere = (): Promise<boolean> =>
    indexedDB.databases().then(
      (databases) => databases.some((database) => database.name === name),
      // where the site's own place is damaged nobody can tell until one is opened, which mends it
      () => true,
    );
  if (!(await isThere())) return;
  await beside(`tieout-move:${name}`, async () => {
    if (!(await isThere())) return;
    const from = await new Dexie(name, { allowEmptyDB: true }).open();
    try {
      const tables = from.tables.filter((table) => to.tables.some((one) => one.name === table.name));
      // on a full disk it makes the room that the move takes
      for (const table of tables) if (table.name === 'blobs') await table.bulkDelete([...roomIds]);
      const rows = new Map<string, Row[]>();
      for (const table of tables) rows.set(table.name, await table.toArray());
      await to.transaction('rw', to.tables, async () => {
        for (const [table, moved] of rows) await addMissing(to.table(table), moved);
      });
    } finally {
      from.close();
    }
    await Dexie.delete(name);
  });
}

function beside(lock: string, work: () => Promise<void>): Promise<void> {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Pick<Navigator, 'locks'>>;
  return locks ? locks.request(lock, work) : work();
}
