// The port to a database of the browser: the engine and everything of this room but the adapter know only this.

/** A part of a key; a compound key is a list of them. */
export type StoreKeyPart = string | number;
export type StoreKey = StoreKeyPart | readonly StoreKeyPart[];

/** A table's rows, its primary key, and what of a row need not be given to add it. */
export interface TableShape {
  row: object;
  key: StoreKey;
  /** The key's field where the database numbers the rows. */
  auto?: string;
}

/** The tables of a database, by name. */
export type Tables = Record<string, TableShape>;
export type TableName<T extends Tables> = Extract<keyof T, string>;
type RowOf<T extends Tables, N extends keyof T> = T[N]['row'];
type KeyOf<T extends Tables, N extends keyof T> = T[N]['key'];
/** A row that is added: without its number, where the database gives it. */
type NewRowOf<T extends Tables, N extends keyof T> = T[N]['auto'] extends string ? Omit<RowOf<T, N>, T[N]['auto']> : RowOf<T, N>;

/** Which rows: those whose primary key, or whose key in an index, is `is` or lies from `from` to `to`, both included; by key. */
export interface StoreRange {
  /** An index by its text in the schema; absent for the primary key. */
  index?: string;
  is?: StoreKey;
  from?: StoreKey;
  to?: StoreKey;
  /** The last key first. */
  isBackwards?: boolean;
  limit?: number;
}

/** What can be read within a transaction: everything as of one moment. */
export interface StoreReading<T extends Tables> {
  get: <N extends TableName<T>>(table: N, key: KeyOf<T, N>) => Promise<RowOf<T, N> | undefined>;
  getMany: <N extends TableName<T>>(table: N, keys: readonly KeyOf<T, N>[]) => Promise<(RowOf<T, N> | undefined)[]>;
  list: <N extends TableName<T>>(table: N, range?: StoreRange) => Promise<RowOf<T, N>[]>;
  /** The primary keys of the rows. */
  keys: <N extends TableName<T>>(table: N, range?: StoreRange) => Promise<KeyOf<T, N>[]>;
  count: <N extends TableName<T>>(table: N, range?: StoreRange) => Promise<number>;
}

/** What can be done within a writing transaction: all of it becomes true at once, or nothing does. */
export interface StoreWriting<T extends Tables> extends StoreReading<T> {
  put: <N extends TableName<T>>(table: N, row: RowOf<T, N>) => Promise<void>;
  putMany: <N extends TableName<T>>(table: N, rows: readonly RowOf<T, N>[]) => Promise<void>;
  /** Rejects, and undoes the transaction, where the key is there already. */
  add: <N extends TableName<T>>(table: N, row: NewRowOf<T, N>) => Promise<void>;
  addMany: <N extends TableName<T>>(table: N, rows: readonly NewRowOf<T, N>[]) => Promise<void>;
  remove: <N extends TableName<T>>(table: N, key: KeyOf<T, N>) => Promise<void>;
  removeMany: <N extends TableName<T>>(table: N, keys: readonly KeyOf<T, N>[]) => Promise<void>;
  /** Of the range, its limit and direction aside. */
  removeAll: <N extends TableName<T>>(table: N, range?: StoreRange) => Promise<void>;
}

/**
 * A database. A transaction may wait for nothing but its own reads and writes. Reading ones see one moment; writing ones that share a
 * table go one after another; what a writing one did is there once its promise resolves, and nothing of it where that rejects.
 * A strict store has it on the disk by then, and is made apart from the relaxed ones where a browser can keep it so: what damages those
 * does not reach it. A relaxed one may lose the latest transactions, whole ones, when the power fails.
 */
export interface Store<T extends Tables> {
  readonly name: string;
  read: <R>(tables: readonly TableName<T>[], work: (tx: StoreReading<T>) => Promise<R>) => Promise<R>;
  write: <R>(tables: readonly TableName<T>[], work: (tx: StoreWriting<T>) => Promise<R>) => Promise<R>;
  /** Calls back after every change of the tables, whoever made it in this browser, and perhaps once at first. @returns how to stop. */
  watch: (tables: readonly TableName<T>[], onChange: () => void) => () => void;
  close: () => void;
}

/** How a database is opened: its tables by version, each an addition to the one before. */
export interface StoreSchema {
  name: string;
  durability: 'strict' | 'relaxed';
  /** Of a strict one: where a browser keeps those apart, it begins with what one of its name holds that was made before, elsewhere. */
  isCopiedOver?: true;
  versions: readonly Readonly<Record<string, string>>[];
}

/** Where databases are: the browser's, or one that a test makes up. */
export interface StoreHost {
  /** Opens a database and checks that it can be read. */
  open: <T extends Tables>(schema: StoreSchema) => Promise<Store<T>>;
  /** The names of all databases; none where the browser does not tell them. */
  names: () => Promise<string[]>;
  /** Deletes a database; one that is not there is as good as deleted. */
  remove: (schema: StoreSchema) => Promise<void>;
}
