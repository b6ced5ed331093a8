import type { Store, StoreHost, StoreKey, StoreKeyPart, StoreRange, StoreSchema, StoreWriting, Tables } from '#replica/store.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { weightOf } from './weight.ts';

type Row = Record<string, unknown>;

/** Operations within a transaction that are done before anybody else goes on: all of them end with it, or none. */
const atOnce = 0.75;

/** How often a deletion that waits for somebody asleep looks whether they still are, in milliseconds. */
const lookAgainMs = 10_000;

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
  /** The same as they came; null where they changed since. */
  listed: readonly Row[] | null;
  /** The same in the order of that key; null where they changed since. */
  inOrder: readonly Row[] | null;
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
  /** Those that are over, and whose end nobody was told yet. */
  ending: Set<Transaction>;
  /** Whoever waits for one of them to end. */
  waiting: { actor: Actor; go: () => void }[];
  watchers: Set<Watch>;
  connections: Set<Connection>;
  /** Who deletes it: nothing begins in it, and once what runs is over it goes. Null where nobody does. */
  deletedBy: Actor | null;
}

interface Watch {
  actor: Actor;
  tables: readonly string[];
  tell: () => void;
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
  /** The browser closed its connection: nothing of it becomes true any more, or nobody is told that it did. */
  isAborted: boolean;
}

/** An opened database as one tab or worker has it. */
interface Connection {
  actor: Actor;
  /** The browser closed it: the next transaction opens it again. */
  isLost: boolean;
}

export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
}
export class QuotaError extends Error {
  override readonly name = 'QuotaExceededError';
}
class AbortError extends Error {
  override readonly name = 'AbortError';
}
class ClosedError extends Error {
  override readonly name = 'DatabaseClosedError';
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

const rank = (key: StoreKey): number => (typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2);

/** Numbers come before texts, texts before lists, lists are compared part by part: as IndexedDB has it. */
export function compareKeys(a: StoreKey, b: StoreKey): number {
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
  if (fields.length === 1) {
    const only = row[fields[0] as string];
    return typeof only === 'string' || typeof only === 'number' ? only : undefined;
  }
  const parts = fields.map((field) => row[field]);
  if (!parts.every((part): part is StoreKeyPart => typeof part === 'string' || typeof part === 'number')) return undefined;
  return parts;
}

/** Rows that have a key in some fields, by it. */
function sortedBy(fields: readonly string[], rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: keyIn(row, fields) as StoreKey }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ row }) => row);
}

/** A copy of plain data, such as rows are. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item)) as T;
  if (value instanceof Uint8Array) return value.slice() as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Row = {};
  for (const name in value) {
    const part = (value as Row)[name];
    copy[name] = typeof part === 'object' ? copyOf(part) : part;
  }
  return copy as T;
}

const textOf = (key: StoreKey): string => (typeof key === 'string' ? `"${key}` : JSON.stringify(key));

/** A transaction that became true: what it was begun on, and by whom. */
export interface SimCommit {
  database: string;
  tables: readonly string[];
  /** Those it wrote to. */
  written: readonly string[];
  actor: Actor;
}

/** What a browser keeps on its disk: it outlives every tab, and loses what was not flushed when the power fails. */
export class SimDisk {
  readonly #scheduler: Scheduler;
  readonly #databases = new Map<string, Database>();
  /** How many databases somebody removed. */
  removals = 0;
  /** Writing transactions that fail for want of room, from now on. */
  failingWrites = 0;
  /** How much fits on it, in bytes. */
  room = Infinity;
  /** What the browser says it allows, in bytes. Unless it says something the app's budget is none either. */
  quota = Infinity;
  /** Databases that cannot be opened, from now on. */
  failingOpens = 0;
  /** Whoever opens one waits until then, UTC milliseconds: another one is being asked to close its own. */
  blockedUntil = 0;
  /** The databases watched by whoever did, by name: to watch needs no connection, and outlives the database. */
  readonly #watchers = new Map<string, Set<Watch>>();
  /** Called with every transaction that became true, before its writer is told. */
  onCommit: (commit: SimCommit) => void = () => undefined;
  /** Called with every database that was deleted. */
  onRemove: (database: string) => void = () => undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** The databases as one tab or worker reaches them. */
  hostFor(actor: Actor): StoreHost {
    return {
      open: async <T extends Tables>(schema: StoreSchema): Promise<Store<T>> => {
        return this.#storeOf<T>(schema, await this.#open(schema, actor), actor);
      },
      names: async () => {
        await this.#scheduler.turn('names', actor);
        return this.names();
      },
      remove: async ({ name }) => {
        await this.#scheduler.turn(`remove ${name}`, actor);
        await this.#remove(name, actor);
      },
    };
  }

  /** @throws where the browser cannot. */
  async #open(schema: StoreSchema, actor: Actor): Promise<Database> {
    await this.#scheduler.turn(`open ${schema.name}`, actor);
    const blockedMs = this.blockedUntil - this.#scheduler.now;
    if (blockedMs > 0) await this.#scheduler.after(blockedMs, `blocked ${schema.name}`, actor).done;
    for (let going = this.#going(schema.name); going; going = this.#going(schema.name)) await waitFor(going, actor);
    if (this.failingOpens > 0) {
      this.failingOpens -= 1;
      throw new Error('UnknownError: Internal error opening backing store');
    }
    return this.#opened(schema);
  }

  #going(name: string): Database | undefined {
    const database = this.#databases.get(name);
    return database?.deletedBy ? database : undefined;
  }

  /** Every connection is asked to close, and does once what it is doing is over; a tab that sleeps hears of it when it wakes. */
  async #remove(name: string, actor: Actor): Promise<void> {
    const database = this.#databases.get(name);
    if (!database) return;
    database.deletedBy = actor;
    for (;;) {
      const asleep = [...database.connections].map((connection) => connection.actor).find((other) => this.#isAsleep(other));
      // it may be woken before its time
      const leftMs = asleep ? Math.min(asleep.frozenUntil - this.#scheduler.now, lookAgainMs) : 0;
      if (leftMs > 0) await this.#scheduler.after(leftMs, `blocked ${name}`, actor).done;
      else if (database.running.length > 0) await waitFor(database, actor);
      else break;
    }
    if (this.#databases.get(name) === database) this.#databases.delete(name);
    this.removals += 1;
    this.onRemove(name);
    goOn(database);
  }

  #isAsleep({ isDead, frozenUntil }: Actor): boolean {
    return !isDead && frozenUntil > this.#scheduler.now;
  }

  /**
   * The browser closes connections, as when its storage process ends: what runs on them is undone, and what was written the moment before
   * is told as if it were. All of them, or one actor's.
   */
  loseConnections(whose: (actor: Actor) => boolean = () => true): void {
    for (const database of this.#databases.values()) {
      for (const connection of database.connections) {
        if (!whose(connection.actor)) continue;
        connection.isLost = true;
        database.connections.delete(connection);
      }
      for (const transaction of [...database.running, ...database.ending]) if (whose(transaction.actor)) transaction.isAborted = true;
      database.running = database.running.filter(({ isAborted }) => !isAborted);
      goOn(database);
    }
  }

  /** Whether something was written, and nobody was told of it yet. */
  get isToldLater(): boolean {
    return [...this.#databases.values()].some(({ ending }) => [...ending].some(({ actor, isAborted }) => !actor.isDead && !isAborted));
  }

  /** All rows of a table as they are at this moment, for whoever checks: the same array until they change. */
  peek<R>(database: string, table: string): readonly R[] {
    const data = this.#databases.get(database)?.tables.get(table);
    if (!data) return [];
    return (data.listed ??= [...data.rows.values()]) as readonly R[];
  }

  /** The disk loses all of a table, or some of it. */
  damage(database: string, table: string, isLost: (row: unknown) => boolean = () => true): void {
    const data = this.#databases.get(database)?.tables.get(table);
    if (!data) return;
    for (const [key, row] of data.rows) if (isLost(row)) data.rows.delete(key);
    hasChanged(data);
  }

  /** All rows of all tables of a database, for whoever looks for what must not be there. */
  everythingIn(database: string): unknown[] {
    return [...(this.#databases.get(database)?.tables.values() ?? [])].flatMap(({ rows }) => [...rows.values()]);
  }

  /** A browser ends a transaction that waits for anything but itself: whoever writes one is told here. To be asked after every turn. */
  check(): void {
    for (const [name, { running }] of this.#databases) {
      const stalled = running.find(({ isWorking, pending, actor }) => isWorking && pending === 0 && !actor.isDead);
      if (stalled) throw new Error(`A transaction on ${stalled.tables.join()} of ${name} waits for something else`);
    }
  }

  /** What is taken of its room, in bytes. */
  get taken(): number {
    return [...this.#databases.keys()].reduce((sum, name) => sum + weightOf(this.everythingIn(name)), 0);
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
          const data = database.tables.get(table) as TableData;
          hasChanged(data);
          if (before) data.rows.set(key, before);
          else data.rows.delete(key);
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
      for (const connection of database.connections) if (connection.actor.isDead) database.connections.delete(connection);
      if (database.deletedBy?.isDead === true) database.deletedBy = null;
      goOn(database);
      for (const watcher of database.watchers) if (watcher.actor.isDead) database.watchers.delete(watcher);
    }
  }

  /** The browser finds its log of the copies torn, and throws all of them away; what is kept apart from them stays. */
  throwAwayCopies(): void {
    for (const [name, { durability }] of this.#databases) if (durability === 'relaxed') this.#databases.delete(name);
  }

  /** Everything of this origin is gone, as a browser does that needs room. */
  evict(): void {
    this.loseConnections();
    this.#databases.clear();
  }

  #opened({ name, durability, versions }: StoreSchema): Database {
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers);
    const connections = new Set<Connection>();
    const fresh: Database = {
      tables: new Map(),
      durability,
      loose: [],
      running: [],
      ending: new Set(),
      waiting: [],
      watchers,
      connections,
      deletedBy: null,
    };
    const database = this.#databases.get(name) ?? fresh;
    this.#databases.set(name, database);
    for (const tables of versions) {
      for (const [table, text] of Object.entries(tables)) {
        if (!database.tables.has(table))
          database.tables.set(table, { schema: schemaOf(text), rows: new Map(), listed: null, inOrder: null, lastNumber: 0 });
      }
    }
    return database;
  }

  #storeOf<T extends Tables>(schema: StoreSchema, opened: Database, actor: Actor): Store<T> {
    const { name } = schema;
    let isClosed = false;
    let database = opened;
    let connection = connectionTo(database, actor);
    /** As Dexie has it: what the browser closed is opened again by the next transaction, and made again where it was deleted. */
    const reopen = async (): Promise<void> => {
      while (connection.isLost || database.deletedBy || this.#databases.get(name) !== database) {
        database.connections.delete(connection);
        database = await this.#open(schema, actor);
        connection = connectionTo(database, actor);
      }
    };
    const run = async <R>(tables: readonly string[], isWriting: boolean, work: (tx: StoreWriting<T>) => Promise<R>): Promise<R> => {
      if (!isClosed) await reopen();
      if (isClosed) throw new ClosedError();
      return this.#transact(name, database, { actor, tables, isWriting }, (tx) => work(tx as unknown as StoreWriting<T>));
    };
    return {
      name,
      read: (tables, work) => run(tables, false, work),
      write: (tables, work) => run(tables, true, work),
      watch: (tables, onChange) => {
        const watcher = { actor, tables, tell: onChange };
        const { watchers } = database;
        watchers.add(watcher);
        return () => void watchers.delete(watcher);
      },
      close: () => {
        isClosed = true;
        database.connections.delete(connection);
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
    const [written, numbers] = [new Map<string, Map<string, Row | null>>(), new Map<string, number>()];
    const state = { pending: 0, isWorking: false, isOver: false, isAborted: false };
    const transaction: Transaction = { actor, tables, isWriting, written, numbers, ...state };
    const label = `${isWriting ? 'write' : 'read'} ${name} ${tables.join()}`;
    // whoever was told to go on in the moment they died begins nothing
    if (!actor.isDead) database.running.push(transaction);
    try {
      await this.#scheduler.turn(`begin ${label}`, actor);
      while (this.#mustWait(database, transaction)) await waitFor(database, actor);
      if (transaction.isAborted) throw new AbortError();
      transaction.isWorking = true;
      const result = await work(new SimOperations(this.#scheduler, database, transaction, label)).finally(() => {
        transaction.isWorking = false;
      });
      if (isWriting) {
        await this.#scheduler.turn(`commit ${label}`, actor);
        if (transaction.isAborted) throw new AbortError();
        if (this.failingWrites > 0) {
          this.failingWrites -= 1;
          throw new QuotaError('There is no room left');
        }
        if (this.room < Infinity && !this.#fits(written)) throw new QuotaError('There is no room left');
        this.#commit(database, transaction);
        this.onCommit({ database: name, tables, written: [...written.keys()], actor });
      }
      return result;
    } finally {
      transaction.isOver = true;
      database.running = database.running.filter((other) => other !== transaction);
      goOn(database);
      // whether it was told is another turn: a tab may die between the two
      if (isWriting) await this.#ended(database, transaction, label);
    }
  }

  async #ended(database: Database, transaction: Transaction, label: string): Promise<void> {
    const wasAborted = transaction.isAborted;
    database.ending.add(transaction);
    await this.#scheduler.turn(`end ${label}`, transaction.actor);
    database.ending.delete(transaction);
    if (transaction.isAborted && !wasAborted) throw new AbortError();
  }

  /** Writing transactions that share a table go one after another, and reading ones wait for those before them. */
  #mustWait(database: Database, transaction: Transaction): boolean {
    const before = database.running.slice(0, database.running.indexOf(transaction));
    return before.some(
      (other) => (other.isWriting || transaction.isWriting) && other.tables.some((table) => transaction.tables.includes(table)),
    );
  }

  /** As Chromium has it: what takes no room is written on a full disk, too; what takes some is not, though it frees more. */
  #fits(written: Transaction['written']): boolean {
    const taken = [...written.values()].reduce((sum, rows) => sum + weightOf([...rows.values()].filter((row) => row !== null)), 0);
    return taken === 0 || this.taken + taken <= this.room;
  }

  #commit(database: Database, { written, numbers }: Transaction): void {
    const changes: Change[] = [];
    for (const [table, rows] of written) {
      const data = database.tables.get(table) as TableData;
      hasChanged(data);
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
}

function hasChanged(data: TableData): void {
  data.listed = null;
  data.inOrder = null;
}

function connectionTo(database: Database, actor: Actor): Connection {
  const connection = { actor, isLost: false };
  database.connections.add(connection);
  return connection;
}

/** Until a transaction of it is over. */
function waitFor(database: Database, actor: Actor): Promise<void> {
  return new Promise((go) => void database.waiting.push({ actor, go }));
}

/** Those who wait look again; the dead do not. */
function goOn(database: Database): void {
  for (const { actor, go } of database.waiting.splice(0)) if (!actor.isDead) go();
}

/** What can be done within a transaction; some take their turn, some are done at once. What it writes is its own until it is committed. */
class SimOperations implements StoreWriting<Tables> {
  readonly #scheduler: Scheduler;
  readonly #database: Database;
  readonly #transaction: Transaction;
  readonly #label: string;

  constructor(scheduler: Scheduler, database: Database, transaction: Transaction, label: string) {
    this.#scheduler = scheduler;
    this.#database = database;
    this.#transaction = transaction;
    this.#label = label;
  }

  async get(table: string, key: StoreKey): Promise<Row | undefined> {
    await this.#turn('get', table);
    return copyOf(this.#find(table, textOf(key)));
  }

  async getMany(table: string, keys: readonly StoreKey[]): Promise<(Row | undefined)[]> {
    await this.#turn('get many', table);
    return keys.map((key) => copyOf(this.#find(table, textOf(key))));
  }

  async list(table: string, range?: StoreRange): Promise<Row[]> {
    await this.#turn('list', table);
    return this.#select(table, range).map((row) => copyOf(row));
  }

  async keys(table: string, range?: StoreRange): Promise<StoreKey[]> {
    await this.#turn('keys', table);
    return this.#select(table, range).map((row) => this.#keyOf(table, row));
  }

  async count(table: string, range?: StoreRange): Promise<number> {
    await this.#turn('count', table);
    return this.#select(table, range).length;
  }

  put(table: string, row: object): Promise<void> {
    return this.putMany(table, [row]);
  }

  async putMany(table: string, rows: readonly object[]): Promise<void> {
    await this.#turn('put', table);
    for (const row of rows) this.#store(table, row, false);
  }

  add(table: string, row: object): Promise<void> {
    return this.addMany(table, [row]);
  }

  async addMany(table: string, rows: readonly object[]): Promise<void> {
    await this.#turn('add', table);
    for (const row of rows) this.#store(table, row, true);
  }

  remove(table: string, key: StoreKey): Promise<void> {
    return this.removeMany(table, [key]);
  }

  async removeMany(table: string, keys: readonly StoreKey[]): Promise<void> {
    await this.#turn('remove', table);
    for (const key of keys) this.#write(table, textOf(key), null);
  }

  async removeAll(table: string, range?: StoreRange): Promise<void> {
    await this.#turn('remove all', table);
    for (const row of this.#select(table, range && { ...range, limit: Infinity }))
      this.#write(table, textOf(this.#keyOf(table, row)), null);
  }

  async #turn(what: string, table: string): Promise<void> {
    const { isOver, isAborted, actor } = this.#transaction;
    if (isAborted) throw new AbortError();
    if (isOver) throw new Error(`TransactionInactiveError: ${what} ${table} in ${this.#label}`);
    if (!actor.isDead && this.#scheduler.random.chance(atOnce)) return;
    this.#transaction.pending += 1;
    await this.#scheduler.turn(`${what} ${table}`, actor);
    this.#transaction.pending -= 1;
    if (this.#transaction.isAborted) throw new AbortError();
  }

  #dataOf(table: string): TableData {
    const data = this.#database.tables.get(table);
    if (!data || !this.#transaction.tables.includes(table)) throw new Error(`${table} is not in the transaction: ${this.#label}`);
    return data;
  }

  #keyOf(table: string, row: Row): StoreKey {
    return keyIn(row, this.#dataOf(table).schema.key) as StoreKey;
  }

  #find(table: string, key: string): Row | undefined {
    const own = this.#transaction.written.get(table)?.get(key);
    return own === undefined ? this.#dataOf(table).rows.get(key) : (own ?? undefined);
  }

  /** All rows as the transaction has them, by their primary keys. */
  #everything(table: string): readonly Row[] {
    const own = this.#transaction.written.get(table);
    const data = this.#dataOf(table);
    if (!own) return (data.inOrder ??= sortedBy(data.schema.key, [...data.rows.values()]));
    const others = [...data.rows].flatMap(([key, row]) => (own.has(key) ? [] : [row]));
    return sortedBy(data.schema.key, [...others, ...[...own.values()].filter((row) => row !== null)]);
  }

  #select(table: string, { index, is, from, to, isBackwards, limit }: StoreRange = {}): Row[] {
    const { schema } = this.#dataOf(table);
    const fields = index === undefined ? schema.key : schema.indexes.get(index);
    if (!fields) throw new Error(`${table} has no index ${index}`);
    const isWhole = index === undefined && is === undefined && from === undefined && to === undefined;
    if (isWhole && isBackwards !== true) return this.#everything(table).slice(0, limit);
    const within = this.#everything(table).filter((row) => {
      const key = keyIn(row, fields);
      if (key === undefined || (is !== undefined && compareKeys(key, is) !== 0)) return false;
      return (from === undefined || compareKeys(key, from) >= 0) && (to === undefined || compareKeys(key, to) <= 0);
    });
    // rows of one key of an index stay in the order of their primary keys
    const found = index === undefined ? within : sortedBy(fields, within);
    return (isBackwards === true ? found.reverse() : found).slice(0, limit);
  }

  #write(table: string, key: string, row: Row | null): void {
    const { isWriting, written } = this.#transaction;
    if (!isWriting) throw new Error(`Nothing can be written here: ${this.#label}`);
    const own = written.get(table) ?? new Map<string, Row | null>();
    written.set(table, own.set(key, row));
  }

  #store(table: string, given: object, isNew: boolean): void {
    const data = this.#dataOf(table);
    const { numbers } = this.#transaction;
    const [field = ''] = data.schema.key;
    const isUnnumbered = data.schema.isNumbered && (given as Row)[field] === undefined;
    const number = (numbers.get(table) ?? data.lastNumber) + 1;
    if (isUnnumbered) numbers.set(table, number);
    const row = copyOf(isUnnumbered ? { ...given, [field]: number } : (given as Row));
    const key = keyIn(row, data.schema.key);
    if (key === undefined) throw new ConstraintError(`A row of ${table} has no key`);
    if (isNew && this.#find(table, textOf(key))) throw new ConstraintError(`${table} has ${textOf(key)} already`);
    for (const fields of data.schema.unique) {
      const own = keyIn(row, fields) ?? [];
      const other = this.#everything(table).find((held) => compareKeys(keyIn(held, fields) ?? [], own) === 0);
      if (other && compareKeys(this.#keyOf(table, other), key) !== 0) throw new ConstraintError(`${fields.join()} is taken`);
    }
    this.#write(table, textOf(key), row);
  }
}
