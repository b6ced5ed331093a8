// What a browser has on its disk, as text: each database with its version, stores, indexes and records.

interface KeptIndex {
  name: string;
  keyPath: string | string[];
  unique: boolean;
  multiEntry: boolean;
}

interface KeptStore {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: KeptIndex[];
  rows: unknown[];
}

export interface KeptDatabase {
  name: string;
  version: number;
  stores: KeptStore[];
}

const arrays = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

/** Bytes as JSON holds them; everything else in a record is JSON already, or a fault. */
function written(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') throw new Error(`A record holds a ${typeof value}`);
  if (Array.isArray(value)) return value.map(written);
  if (value instanceof ArrayBuffer) return { $bytes: Buffer.from(value).toString('base64'), of: 'ArrayBuffer' };
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength, constructor } = value;
    if (!Object.hasOwn(arrays, constructor.name)) throw new Error(`A record holds a ${constructor.name}`);
    return { $bytes: Buffer.from(buffer, byteOffset, byteLength).toString('base64'), of: constructor.name };
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`A record holds a ${value.constructor.name}`);
  // what is undefined is not there to whoever reads it
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .map(([name, held]) => [name, written(held)]),
  );
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(read);
  if ('$bytes' in value && 'of' in value) {
    const bytes = new Uint8Array(Buffer.from(String(value.$bytes), 'base64'));
    return value.of === 'ArrayBuffer' ? bytes.buffer : new arrays[value.of as keyof typeof arrays](bytes.buffer);
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, read(held)]));
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('It was not said why'));
  });
}

async function keptStore(store: IDBObjectStore): Promise<KeptStore> {
  if (store.keyPath === null) throw new Error(`The records of ${store.name} do not tell their keys`);
  const indexes = [...store.indexNames].map((name) => {
    const { keyPath, unique, multiEntry } = store.index(name);
    return { name, keyPath: keyPath as string | string[], unique, multiEntry };
  });
  const rows = (await answerOf(store.getAll())).map(written);
  return { name: store.name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, rows };
}

/** Everything there is, by name, or some of it; nothing may be open. */
export async function keptDatabases(isWanted: (name: string) => boolean = () => true): Promise<KeptDatabase[]> {
  const kept: KeptDatabase[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!isWanted(name)) continue;
    const database = await answerOf(indexedDB.open(name));
    const stores: KeptStore[] = [];
    const names = [...database.objectStoreNames];
    for (const store of names) stores.push(await keptStore(database.transaction(names).objectStore(store)));
    kept.push({ name, version: database.version, stores });
    database.close();
  }
  return kept.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Puts databases where there are none of their names, as they were kept. */
export async function putDatabases(kept: readonly KeptDatabase[]): Promise<void> {
  for (const { name, version, stores } of kept) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const { name: store, keyPath, autoIncrement, indexes, rows } of stores) {
        const made = opening.result.createObjectStore(store, { keyPath, autoIncrement });
        for (const { name: index, keyPath: path, ...rules } of indexes) made.createIndex(index, path, rules);
        for (const row of rows) made.add(read(row));
      }
    };
    (await answerOf(opening)).close();
  }
}

/** The records of a store as a page reads them. */
export function rowsIn(kept: readonly KeptDatabase[], database: string, store: string): unknown[] {
  const found = kept.find(({ name }) => name.startsWith(database))?.stores.find(({ name }) => name === store);
  return (found?.rows ?? []).map(read);
}
