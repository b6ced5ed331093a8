import { Dexie } from 'dexie';

// Chromium keeps the databases of a site in one log, and throws all of them away where it finds that a crash once tore a record of it. A
// log into which rows are downloaded is torn most easily. What cannot be had from the server again is in a storage bucket, whose log is
// its own, wherever the browser has buckets.

/** As browsers that have them give them: TypeScript knows none yet. */
interface StorageBucket {
  indexedDB: IDBFactory;
  persist: () => Promise<boolean>;
  persisted: () => Promise<boolean>;
}

interface StorageBuckets {
  open: (name: string, options: { durability: 'strict'; persisted: true }) => Promise<StorageBucket>;
}

/** Where databases are that no damage to others may reach; null in browsers that have no such place. */
export async function apartBucket(): Promise<StorageBucket | null> {
  const { storageBuckets } = (globalThis.navigator ?? {}) as { storageBuckets?: StorageBuckets };
  return storageBuckets ? storageBuckets.open('apart', { durability: 'strict', persisted: true }) : null;
}

/**
 * The names of the databases in a place. One that a crash damaged tells them once a database was opened there, which mends it. None where
 * the browser is too old to tell any.
 */
export async function namesIn(factory: IDBFactory): Promise<string[]> {
  const { databases }: Partial<IDBFactory> = factory;
  const listed = async (): Promise<string[]> => ((await databases?.call(factory)) ?? []).map(({ name = '' }) => name);
  try {
    return await listed();
  } catch {
    const mending = new Dexie('tieout-mending', { indexedDB: factory, IDBKeyRange });
    mending.version(1).stores({ nothing: '&k' });
    await mending.open();
    await mending.delete();
    return listed();
  }
}

/**
 * Where a database is that only this device has. It stays where it is: one made by a build before, or by this browser before it knew
 * buckets, is in the site's own place, and tabs of that build may still be at work in it.
 */
export async function placeOf(name: string): Promise<IDBFactory> {
  const bucket = await apartBucket();
  if (bucket === null) return indexedDB;
  const isElsewhere = !(await namesIn(bucket.indexedDB)).includes(name) && (await namesIn(indexedDB)).includes(name);
  return isElsewhere ? indexedDB : bucket.indexedDB;
}

/** Gives a database that has nothing yet what one of its name in the site's own place holds, which stays there. */
export async function copyOver(to: Dexie): Promise<void> {
  const counts = await Promise.all(to.tables.map((table) => table.count()));
  if (counts.some((count) => count > 0) || !(await namesIn(indexedDB)).includes(to.name)) return;
  const from = new Dexie(to.name);
  try {
    await from.open();
    const names = from.tables.map(({ name }) => name).filter((name) => to.tables.some((table) => table.name === name));
    const rows = await from.transaction('r', names, () => Promise.all(names.map((name) => from.table(name).toArray())));
    await to.transaction('rw', names, () => Promise.all(names.map((name, at) => to.table(name).bulkPut(rows[at] ?? []))));
  } finally {
    from.close();
  }
}
