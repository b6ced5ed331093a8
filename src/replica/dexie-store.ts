import { Dexie, liveQuery, type Collection, type Table } from 'dexie';
import { apartBucket, copyOver, namesIn, placeOf } from './apart.ts';
import type { Store, StoreHost, StoreRange, StoreSchema, StoreWriting, TableName, Tables } from './store.ts';

const primaryKey = ':id';

function collectionOf(table: Table, { index, is, from, to, isBackwards, limit }: StoreRange): Collection {
  const where = table.where(index ?? primaryKey);
  const found =
    is !== undefined
      ? where.equals(is)
      : from !== undefined && to !== undefined
        ? where.between(from, to, true, true)
        : from !== undefined
          ? where.aboveOrEqual(from)
          : to !== undefined
            ? where.belowOrEqual(to)
            : table.orderBy(index ?? primaryKey);
  const ordered = isBackwards === true ? found.reverse() : found;
  return limit === undefined ? ordered : ordered.limit(limit);
}

/** A transaction's operations on a database; outside of one each is a transaction of its own. */
function operationsOf<T extends Tables>(database: Dexie): StoreWriting<T> {
  const table = (name: string): Table => database.table(name);
  const all = (name: string, range: StoreRange | undefined): Collection => collectionOf(table(name), range ?? {});
  return {
    get: (name, key) => table(name).get(key),
    getMany: (name, keys) => table(name).bulkGet([...keys]),
    list: (name, range) => (range ? all(name, range).toArray() : table(name).toArray()),
    keys: <N extends TableName<T>>(name: N, range?: StoreRange) =>
      all(name, range).primaryKeys() as Promise<unknown> as Promise<T[N]['key'][]>,
    count: (name, range) => (range ? all(name, range).count() : table(name).count()),
    put: async (name, row) => void (await table(name).put(row)),
    putMany: async (name, rows) => void (await table(name).bulkPut([...rows])),
    add: async (name, row) => void (await table(name).add(row)),
    addMany: async (name, rows) => void (await table(name).bulkAdd([...rows])),
    remove: (name, key) => table(name).delete(key),
    removeMany: (name, keys) => table(name).bulkDelete([...keys]),
    removeAll: async (name, range) => void (await (range ? all(name, range).delete() : table(name).clear())),
  };
}

/** What Chromium says at times of a database that is sound and opens a moment later, such as soon after a crash. */
function isPassing(error: unknown): boolean {
  const { inner = error } = error as { inner?: unknown };
  return inner instanceof Error && inner.name === 'UnknownError';
}
/** Waits between the tries to open such a one, in milliseconds. */
const waitsMs = [50, 200, 800];

/** Opens a database, again and again where that fails for a moment. */
async function patiently<R>(open: () => PromiseLike<R>): Promise<R> {
  for (const waitMs of waitsMs) {
    try {
      return await open();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await new Promise<void>((resolve) => void setTimeout(resolve, waitMs));
    }
  }
  return open();
}

/** A database of the browser's IndexedDB. */
function dexieStore<T extends Tables>(database: Dexie): Store<T> {
  const operations = operationsOf<T>(database);
  let isClosed = false;
  /**
   * What the browser closed Dexie opens again by itself, once: where that fails it would refuse everything from then on. Of one that is open
   * nothing is waited for: a live query knows what it asked for by the turn it was asked in.
   */
  const whenOpen = <R>(work: () => PromiseLike<R>): Promise<R> =>
    Promise.resolve(isClosed || database.isOpen() ? work() : patiently(() => database.open()).then(work));
  return {
    name: database.name,
    // Dexie keeps a transaction open over native awaits only where its scope is an async function
    read: (tables, work) => whenOpen(() => database.transaction('r', [...tables], async () => work(operations))),
    write: (tables, work) => whenOpen(() => database.transaction('rw', [...tables], async () => work(operations))),
    watch: (tables: readonly TableName<T>[], onChange) => {
      // its first answer may be of after a change already, so it counts as one. A question about all rows by their keys hears of every
      // change, however few of them it takes; to count them would read the whole table each time
      const subscription = liveQuery(() => Promise.all(tables.map((name) => database.table(name).limit(1).toArray()))).subscribe({
        next: () => onChange(),
        // closed meanwhile
        error: () => undefined,
      });
      return () => subscription.unsubscribe();
    },
    close: () => {
      isClosed = true;
      database.close();
    },
  };
}

function placeFor({ name, durability, isCopiedOver }: StoreSchema): Promise<IDBFactory> | IDBFactory {
  if (durability === 'relaxed') return indexedDB;
  return isCopiedOver ? apartBucket().then((bucket) => bucket?.indexedDB ?? indexedDB) : placeOf(name);
}

function databaseIn(place: IDBFactory, { name, durability }: StoreSchema): Dexie {
  const options = { indexedDB: place, IDBKeyRange };
  return new Dexie(name, durability === 'strict' ? { ...options, chromeTransactionDurability: 'strict' } : options);
}

async function opened(schema: StoreSchema): Promise<Dexie> {
  const place = await placeFor(schema);
  const database = databaseIn(place, schema);
  for (const [index, tables] of schema.versions.entries()) database.version(index + 1).stores({ ...tables });
  try {
    await database.open();
    if (schema.isCopiedOver && place !== indexedDB) await copyOver(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The browser's databases. */
export const browserStores: StoreHost = {
  open: async <T extends Tables>(schema: StoreSchema): Promise<Store<T>> => dexieStore<T>(await patiently(() => opened(schema))),
  names: async () => {
    const bucket = await apartBucket();
    const places = bucket ? [indexedDB, bucket.indexedDB] : [indexedDB];
    return [...new Set((await Promise.all(places.map((place) => namesIn(place)))).flat())];
  },
  remove: async (schema) => {
    const place = await placeFor(schema);
    await databaseIn(place, schema).delete();
    // nor is anything to begin with, or go on from, what a build before made in the site's own place, be it meanwhile
    if (place !== indexedDB) await Dexie.delete(schema.name);
  },
};
