import type { Store, StoreHost, StoreKey, StoreKeyPart, StoreRange, StoreSchema, StoreWriting, Tables } from '#replica/store.ts';
import type { Actor, Scheduler } from './scheduler.ts';

type Row = Record<string, unknown>;

/** A table as its schema text has it: `&id`, `++seq` or `&[a+b]` first, then its indexes. */
interface TableSchema {
  key: string[];
  isNumbered: boolean;
  unique: string[][];
  indexes: Map<string, string[]>;
}

interface TableData {
  schema: TableSchema;
  /** By the text of the primary key. */
  rows: Map<string, Row>;
  lastNumber: number;
}

/** What a transaction changed, so that it can be undone when the power fails. */
interface Change {
  table: string;
  key: string;
  before: Row | undefined;
}

interface Database {
  tables: Map<string, TableData>;
  durability: StoreSchema['durability'];
  /** Transactions that are not on the disk yet, the oldest first. */
  loose: Change[][];
  running: Transaction[];
  watchers: Set<{ actor: Actor; tables: readonly string[]; tell: () => void }>;
}

interface Transaction {
  actor: Actor;
  tables: readonly string[];
  isWriting: boolean;
  /** What it wrote, by table and key: null is removed. */
  written: Map<string, Map<string, Row | null>>;
  numbers: Map<string, number>;
  /** Operations that wait for their turn. */
  pending: number;
  isWorking: boolean;
  isOver: boolean;
}

export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
}
export class QuotaError extends Error {
  override readonly name = 'QuotaExceededError';
}

function fieldsOf(text: string): string[] {
  const bare = text.replace(/^(\+\+|&)/, '');
  return bare.startsWith('[') ? bare.slice(1, -1).split('+') : [bare];
}

function schemaOf(text: string): TableSchema {
  const [first = '', ...rest] = text.split(',').map((part) => part.trim());
  return {
    key: fieldsOf(first),
    isNumbered: first.startsWith('++'),
    unique: rest.filter((part) => part.startsWith('&')).map(fieldsOf),
    indexes: new Map(rest.map((part) => [part.replace(/^&/, ''), fieldsOf(part)])),
  };
}

/** Numbers come before texts, texts before lists, lists are compared part by part: as IndexedDB has it. */
export function compareKeys(a: StoreKey, b: StoreKey): number {
  const rank = (key: StoreKey): number => (typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
      const order = compareKeys(a[at] as StoreKeyPart, b[at] as StoreKeyPart);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A row's key in some fields; undefined where it lacks one, and so is not in that index. */
function keyIn(row: Row, fields: readonly string[]): StoreKey | undefined {
  const parts = fields.map((field) => row[field]);
  if (!parts.every((part): part is StoreKeyPart => typeof part === 'string' || typeof part === 'number')) return undefined;
  return fields.length === 1 ? (parts[0] as StoreKeyPart) : parts;
}

/** A copy of plain data, such as rows are. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item)) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Row = {};
  for (const name in value) copy[name] = copyOf((value as Row)[name]);
  return copy as T;
}

const textOf = (key: StoreKey): string => JSON.stringify(key);

/** A transaction that became true: what it was begun on, and by whom. */
export interface SimCommit {
  database: string;
  tables: readonly string[];
  actor: Actor;
}

/** What a browser keeps on its disk: it outlives every tab, and loses what was not flushed when the power fails. */
export class SimDisk {
  readonly #scheduler: Scheduler;
  readonly #databases = new Map<string, Database>();
  /** Writing transactions that fail for want of room, from now on. */
  failingWrites = 0;
  /** Called with every transaction that became true, before its writer is told. */
  onCommit: (commit: SimCommit) => void = () => undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** The databases as one tab or worker reaches them. */
  hostFor(actor: Actor): StoreHost {
    return {
      open: async <T extends Tables>(schema: StoreSchema): Promise<Store<T>> => {
        await this.#scheduler.turn(`open ${schema.name}`, actor);
        return this.#storeOf<T>(schema, this.#opened(schema), actor);
      },
      remove: async (name) => {
        await this.#scheduler.turn(`remove ${name}`, actor);
        this.#databases.delete(name);
      },
    };
  }

  /** All rows of a table as they are at this moment, for whoever checks. */
  peek<R>(database: string, table: string): R[] {
    return [...(this.#databases.get(database)?.tables.get(table)?.rows.values() ?? [])] as R[];
  }

  /** A browser ends a transaction that waits for anything but itself: whoever writes one is told here. To be asked after every turn. */
  check(): void {
    for (const [name, { running }] of this.#databases) {
      const stalled = running.find(({ isWorking, pending, actor }) => isWorking && pending === 0 && !actor.isDead);
      if (stalled) throw new Error(`A transaction on ${stalled.tables.join()} of ${name} waits for something else`);
    }
  }

  names(): string[] {
    return [...this.#databases.keys()];
  }

  /** The power fails: of each database the latest relaxed transactions are lost, the seed says how many. */
  losePower(): void {
    for (const database of this.#databases.values()) {
      const kept = this.#scheduler.random.below(database.loose.length + 1);
      for (const changes of database.loose.splice(kept).toReversed()) {
        for (const { table, key, before } of changes.toReversed()) {
          const { rows } = database.tables.get(table) as TableData;
          if (before) rows.set(key, before);
          else rows.delete(key);
        }
      }
      database.loose = [];
    }
    this.forgetDead();
  }

  /** What the dead were doing is undone; nobody waits for it any more. */
  forgetDead(): void {
    for (const database of this.#databases.values()) {
      database.running = database.running.filter(({ actor }) => !actor.isDead);
      for (const watcher of database.watchers) if (watcher.actor.isDead) database.watchers.delete(watcher);
    }
  }

  /** Everything of this origin is gone, as a browser does that needs room. */
  evict(): void {
    this.#databases.clear();
  }

  #opened({ name, durability, versions }: StoreSchema): Database {
    const fresh: Database = { tables: new Map(), durability, loose: [], running: [], watchers: new Set() };
    const database = this.#databases.get(name) ?? fresh;
    this.#databases.set(name, database);
    for (const tables of versions) {
      for (const [table, text] of Object.entries(tables)) {
        if (!database.tables.has(table)) database.tables.set(table, { schema: schemaOf(text), rows: new Map(), lastNumber: 0 });
      }
    }
    return database;
  }

  #storeOf<T extends Tables>({ name }: StoreSchema, database: Database, actor: Actor): Store<T> {
    let isClosed = false;
    const run = async <R>(tables: readonly string[], isWriting: boolean, work: (tx: StoreWriting<T>) => Promise<R>): Promise<R> => {
      if (isClosed || this.#databases.get(name) !== database) throw new Error('DatabaseClosedError');
      return this.#transact(name, database, { actor, tables, isWriting }, (tx) => work(tx as unknown as StoreWriting<T>));
    };
    return {
      name,
      read: (tables, work) => run(tables, false, work),
      write: (tables, work) => run(tables, true, work),
      watch: (tables, onChange) => {
        const watcher = { actor, tables, tell: onChange };
        database.watchers.add(watcher);
        return () => void database.watchers.delete(watcher);
      },
      close: () => {
        isClosed = true;
      },
    };
  }

  async #transact<R>(
    name: string,
    database: Database,
    scope: Pick<Transaction, 'actor' | 'tables' | 'isWriting'>,
    work: (tx: StoreWriting<Tables>) => Promise<R>,
  ): Promise<R> {
    const { actor, tables, isWriting } = scope;
    const transaction: Transaction = { ...scope, written: new Map(), numbers: new Map(), pending: 0, isWorking: false, isOver: false };
    const label = `${isWriting ? 'write' : 'read'} ${name} ${tables.join()}`;
    database.running.push(transaction);
    try {
      do await this.#scheduler.turn(`begin ${label}`, actor);
      while (this.#mustWait(database, transaction));
      transaction.isWorking = true;
      const result = await work(this.#operations(database, transaction, label)).finally(() => {
        transaction.isWorking = false;
      });
      if (isWriting) {
        await this.#scheduler.turn(`commit ${label}`, actor);
        if (this.failingWrites > 0) {
          this.failingWrites -= 1;
          throw new QuotaError('There is no room left');
        }
        this.#commit(database, transaction);
        this.onCommit({ database: name, tables, actor });
      }
      return result;
    } finally {
      transaction.isOver = true;
      database.running.splice(database.running.indexOf(transaction), 1);
      // whether it was told is another turn: a tab may die between the two
      await this.#scheduler.turn(`end ${label}`, actor);
    }
  }

  /** Writing transactions that share a table go one after another, and reading ones wait for those before them. */
  #mustWait(database: Database, transaction: Transaction): boolean {
    const before = database.running.slice(0, database.running.indexOf(transaction));
    return before.some(
      (other) => (other.isWriting || transaction.isWriting) && other.tables.some((table) => transaction.tables.includes(table)),
    );
  }

  #commit(database: Database, { written, numbers }: Transaction): void {
    const changes: Change[] = [];
    for (const [table, rows] of written) {
      const data = database.tables.get(table) as TableData;
      for (const [key, row] of rows) {
        changes.push({ table, key, before: data.rows.get(key) });
        if (row) data.rows.set(key, row);
        else data.rows.delete(key);
      }
    }
    for (const [table, number] of numbers) (database.tables.get(table) as TableData).lastNumber = number;
    if (database.durability === 'strict') database.loose = [];
    else database.loose.push(changes);
    const touched = [...written.keys()];
    for (const watcher of database.watchers) {
      if (!watcher.tables.some((table) => touched.includes(table))) continue;
      void this.#scheduler.turn(`tell ${touched.join()}`, watcher.actor).then(() => database.watchers.has(watcher) && watcher.tell());
    }
  }

  #operations(database: Database, transaction: Transaction, label: string): StoreWriting<Tables> {
    const { actor, tables, isWriting, written, numbers } = transaction;
    const dataOf = (table: string): TableData => {
      const data = database.tables.get(table);
      if (!data || !tables.includes(table)) throw new Error(`${table} is not in the transaction: ${label}`);
      return data;
    };
    const find = (table: string, key: string): Row | undefined => {
      const own = written.get(table)?.get(key);
      return own === undefined ? dataOf(table).rows.get(key) : (own ?? undefined);
    };
    const everything = (table: string): Row[] => {
      const own = written.get(table);
      const held = [...dataOf(table).rows].filter(([key]) => !own?.has(key)).map(([, row]) => row);
      return [...held, ...[...(own?.values() ?? [])].filter((row) => row !== null)];
    };
    const select = (table: string, range: StoreRange = {}): Row[] => {
      const { schema } = dataOf(table);
      const fields = range.index === undefined ? schema.key : schema.indexes.get(range.index);
      if (!fields) throw new Error(`${table} has no index ${range.index}`);
      const { is, from, to } = range;
      const primary = (row: Row): StoreKey => keyIn(row, schema.key) as StoreKey;
      const found = everything(table)
        .flatMap((row) => {
          const key = keyIn(row, fields);
          return key === undefined ? [] : [{ row, key }];
        })
        .filter(({ key }) => (is === undefined || compareKeys(key, is) === 0) && (from === undefined || compareKeys(key, from) >= 0))
        .filter(({ key }) => to === undefined || compareKeys(key, to) <= 0)
        .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(primary(a.row), primary(b.row)))
        .map(({ row }) => row);
      const ordered = range.isBackwards === true ? found.reverse() : found;
      return range.limit === undefined ? ordered : ordered.slice(0, range.limit);
    };
    const write = (table: string, key: string, row: Row | null): void => {
      if (!isWriting) throw new Error(`Nothing can be written here: ${label}`);
      const own = written.get(table) ?? new Map<string, Row | null>();
      written.set(table, own.set(key, row));
    };
    const store = (table: string, given: object, isNew: boolean): void => {
      const data = dataOf(table);
      const row = copyOf(given as Row);
      const [field = ''] = data.schema.key;
      if (data.schema.isNumbered && row[field] === undefined) {
        const number = (numbers.get(table) ?? data.lastNumber) + 1;
        numbers.set(table, number);
        row[field] = number;
      }
      const key = keyIn(row, data.schema.key);
      if (key === undefined) throw new ConstraintError(`A row of ${table} has no key`);
      if (isNew && find(table, textOf(key))) throw new ConstraintError(`${table} has ${textOf(key)} already`);
      for (const fields of data.schema.unique) {
        const other = everything(table).find((held) => compareKeys(keyIn(held, fields) ?? [], keyIn(row, fields) ?? []) === 0);
        if (other && compareKeys(keyIn(other, data.schema.key) as StoreKey, key) !== 0)
          throw new ConstraintError(`${fields.join()} is taken`);
      }
      write(table, textOf(key), row);
    };
    /** An operation takes its turn; the browser may do anything else before. */
    const operation = async <R>(what: string, run: () => R): Promise<R> => {
      if (transaction.isOver) throw new Error(`TransactionInactiveError: ${what} in ${label}`);
      transaction.pending += 1;
      try {
        await this.#scheduler.turn(what, actor);
        return run();
      } finally {
        transaction.pending -= 1;
      }
    };
    return {
      get: (table, key) => operation(`get ${table}`, () => copyOf(find(table, textOf(key)))),
      getMany: (table, keys) => operation(`get many ${table}`, () => keys.map((key) => copyOf(find(table, textOf(key))))),
      list: (table, range) => operation(`list ${table}`, () => select(table, range).map((row) => copyOf(row))),
      keys: (table, range) =>
        operation(`keys ${table}`, () => select(table, range).map((row) => keyIn(row, dataOf(table).schema.key) as StoreKey)),
      count: (table, range) => operation(`count ${table}`, () => select(table, range).length),
      put: (table, row) => operation(`put ${table}`, () => store(table, row, false)),
      putMany: (table, rows) =>
        operation(`put many ${table}`, () => {
          for (const row of rows) store(table, row, false);
        }),
      add: (table, row) => operation(`add ${table}`, () => store(table, row, true)),
      addMany: (table, rows) =>
        operation(`add many ${table}`, () => {
          for (const row of rows) store(table, row, true);
        }),
      remove: (table, key) => operation(`remove ${table}`, () => write(table, textOf(key), null)),
      removeMany: (table, keys) =>
        operation(`remove many ${table}`, () => {
          for (const key of keys) write(table, textOf(key), null);
        }),
      removeAll: (table, range) =>
        operation(`remove all ${table}`, () => {
          for (const row of select(table, range && { ...range, limit: Infinity }))
            write(table, textOf(keyIn(row, dataOf(table).schema.key) as StoreKey), null);
        }),
    };
  }
}
