import type { Selection, Window } from '#columns/selection.ts';
import type { Query } from '#columns/query.ts';
import type { Table } from '#columns/table.ts';
import type { EditedNoun } from '#contract/mutations.ts';
import { isNoRoom } from './ballast.ts';
import type { ColumnNoun, ColumnRow } from './column-nouns.ts';
import type { Replica } from './open.ts';
import type { OutboxRow } from './outbox-tables.ts';
import { foldRow } from './overlay.ts';
import type { NounRow } from './reducers.ts';
import { type PullProgress, putProgress } from './pulls.ts';
import { ClosedSetError, type SetKey } from './set-errors.ts';
import { type SetChange, type SetPart, type Storing, writeSets } from './set-writes.ts';
import { type Breathe, StoredSet } from './stored-set.ts';

/** Rows that may wait unsorted; every query scans them. */
const sealAt = 8_192;
/** The same while nothing more is expected: each takes its time at the next start, and to sort few of them writes whole segments anew. */
const sealAtRest = 512;
/** So many rows at most are written anew then for each that waits: a change here and there in a large set is not worth all of it. */
const mostPerWaiting = 128;

/** A query's answer with the edited rows as they stood then, so that a window of it is never mixed with later edits. */
export interface Selected<R> {
  query: Query;
  selection: Selection;
  overlay: readonly R[];
  /** Which database the rows are of; null where that is not known. */
  generation: string | null;
  /** What it was selected from, and how many codes were known then: sorts by names rank no others. */
  table: Table;
  codes: number;
}

/** Where a set is, and how it is read. */
interface SetSource<R extends ColumnRow> {
  replica: Replica;
  noun: ColumnNoun<R>;
  set: string;
  breathe: Breathe;
  /** Told where other rows are there than was known: a write was committed though nobody said so. */
  onFound?: () => void;
}

/**
 * One set of a noun (a client's transactions): columns in memory for filtering and sums, full rows on disk in records of some
 * sixty, fetched for what is on screen, and the waiting edits laid over them. Every page is written with its cursor in one
 * transaction; the columns of unsealed rows are made anew from the records at the next start.
 *
 * Writes (pages, sealing, reloading) go one after another. Queries and edits do not wait for them: the columns change only in
 * single steps between which every answer is whole. Only what was read again is asked once the edits lie over it.
 */
export class ColumnSet<R extends ColumnRow> {
  readonly key: SetKey;
  /** Resolves once all rows are read, with the edits laid over them. Rejects with a DamagedSetError where they cannot be. */
  readonly whole: Promise<void>;
  readonly #noun: ColumnNoun<R>;
  readonly #replica: Replica;
  readonly #stored: StoredSet<R>;
  readonly #onFound: () => void;
  #edits: ReadonlyMap<string, readonly OutboxRow[]> = new Map();
  #overlay: readonly R[] = [];
  #isClosed = false;
  /** The stored state that there was no room to sort. */
  #noRoomAt: number | null = null;
  /** A write was begun of which nobody said how it ended. */
  #isUnsure = false;
  /** The edits could not be laid over the rows as they are now. */
  #isUnlaid = false;
  /** All rows with a later time are there already; null once all rows are, with the edits laid over them. */
  #since: number | null;
  #writes: Promise<unknown> = Promise.resolve();
  #layings: Promise<unknown> = Promise.resolve();
  #reloading: Promise<unknown> = Promise.resolve();

  private constructor({ replica, noun, onFound = () => undefined }: SetSource<R>, stored: StoredSet<R>) {
    this.#replica = replica;
    this.#noun = noun;
    this.#onFound = onFound;
    this.#stored = stored;
    this.key = stored.key;
    this.#since = stored.since;
    this.whole = this.#readRest();
    // told to whoever asks for more than the newest rows
    this.whole.catch(() => undefined);
  }

  /**
   * Opens what is held of a set. The newest rows are there at once (see `first`), everything else waits for all of them.
   * @throws DamagedSetError where what is stored is not what was written.
   */
  static async open<R extends ColumnRow>(source: SetSource<R>): Promise<ColumnSet<R>> {
    const { replica, noun, set, breathe } = source;
    return new ColumnSet(source, await StoredSet.open(replica, noun, set, breathe));
  }

  /** The stored state this set has seen, with the edits laid over it; another worker's writes make it grow. */
  get storedRev(): number {
    return this.#isUnlaid ? -1 : this.#stored.rev;
  }

  /** Whether an answer is still what its query gives. */
  isFresh({ table, selection }: Selected<R>): boolean {
    return !this.#isClosed && table === this.#stored.table && selection.revision === table.revision;
  }

  /** Whether a row of an id is held. */
  holds(id: string): boolean {
    return this.#stored.table.has(id);
  }

  /** The full rows of some ids, of those that are held, without edits. @throws as {@link rowsOf}. */
  heldOf(ids: readonly string[]): Promise<R[]> {
    return this.#unlessClosed(this.#stored.rowsOf(ids));
  }

  codes(column: string): readonly (string | null)[] {
    return this.#stored.table.codes(column);
  }

  /** How many codes all its columns have. */
  get codesKnown(): number {
    return this.#stored.table.codesKnown;
  }

  /** The same of all that is stored, be it by a write of which nobody said how it ended. */
  storedCodes(column: string): Promise<readonly (string | null)[]> {
    return this.#write(async () => {
      await this.#whatIsStored();
      return this.codes(column);
    });
  }

  /** Reads the stored state again, after another worker has written. */
  reload(): Promise<void> {
    return this.#write(() => this.#reload());
  }

  /**
   * Sorts the rows that wait, unless they are few, or that is not worth it, or there is no room: nothing more is expected soon.
   * @param goesOn asked before each part of it.
   */
  rest(goesOn: () => boolean): Promise<void> {
    return this.#write(async () => {
      await this.whole;
      await this.#whatIsStored();
      const isWorthIt = this.#stored.unsorted >= sealAtRest && this.#stored.table.rowsToSeal <= this.#stored.unsorted * mostPerWaiting;
      if (this.#isClosed || !isWorthIt || this.#noRoomAt === this.#stored.rev || !goesOn()) return;
      try {
        await this.#seal(goesOn);
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        // what waits can go on waiting, until there is more of it
        this.#noRoomAt = this.#stored.rev;
      }
    });
  }

  /** Ends all writing, once what was begun is done: whoever still holds this set can write nothing more. */
  close(): Promise<void> {
    return this.#write(async () => {
      this.#isClosed = true;
    });
  }

  /**
   * Writes rows of a page, and the pull's new standing with them. Rows held in the same or a newer version are left alone.
   * @returns how many rows were new or changed.
   * @throws ClosedSetError where the set was closed: nothing is written.
   */
  apply(rows: readonly R[], progress?: PullProgress): Promise<number> {
    return this.change({ rows, removed: [] }, progress);
  }

  /** The same for rows that came and rows that went. */
  change(change: SetChange<R>, progress?: PullProgress): Promise<number> {
    return writeSets(this.#replica.rows, [this.part(change)], {
      tables: ['pulls', 'meta'],
      write: async (tx) => {
        if (progress) await putProgress(tx, progress);
      },
    });
  }

  /** This set's part of a write of several sets. */
  part(change: SetChange<R>): SetPart {
    return { key: this.key, inTurn: (work) => this.#write(work), prepare: () => this.#prepare(change) };
  }

  /**
   * Lays these edits over the held rows they touch, until called again; rows that arrive later are edited as they come. While the set is
   * being read they are only noted: they lie over its rows before any query but `first` sees them.
   */
  setEdits(edits: ReadonlyMap<string, readonly OutboxRow[]>): Promise<void> {
    const isUntouched = edits.size === 0 && this.#edits.size === 0;
    this.#edits = edits;
    return isUntouched || this.#since !== null ? Promise.resolve() : this.#unlessClosed(this.#layOver());
  }

  /** Whether all rows are read. */
  get isWhole(): boolean {
    return this.#since === null;
  }

  /**
   * A query's answer of which the first rows are certain, though not all rows are read yet: neither its count nor anything after those
   * rows is. Null where they are not certain.
   */
  first(make: () => Query, limit: number): Selected<R> | null {
    const query = make();
    const isSorted = (query.sort ?? []).length > 0;
    if (isSorted || this.#edits.size > 0 || this.#stored.table.needsText(query).length > 0) return null;
    const selection = this.#stored.table.select(query);
    if (this.#since !== null && !(selection.timeAt(limit - 1) > this.#since)) return null;
    return this.#selected(query, selection);
  }

  /**
   * Runs a query, loading the texts it needs first. `make` is called when the columns are ready for it.
   * @throws DamagedSetError where they cannot be read; ClosedSetError where they may have been dropped.
   */
  select(make: () => Query): Promise<Selected<R>> {
    return this.#unlessClosed(this.#select(make));
  }

  async #select(make: () => Query): Promise<Selected<R>> {
    if (this.#since !== null) await this.whole;
    for (;;) {
      await this.#reloading;
      const query = make();
      const missing = this.#stored.table.needsText(query);
      if (missing.length === 0) return this.#selected(query, this.#stored.table.select(query));
      // sealed meanwhile, the columns may need other texts than these
      await this.#stored.loadTexts(missing);
    }
  }

  /** The same query as the set is now, by what has changed since; null where it has to be selected anew. */
  selectAgain({ query, selection, table, codes }: Selected<R>): Selected<R> | null {
    const isSame = table === this.#stored.table && codes === table.codesKnown && table.needsText(query).length === 0;
    return isSame ? this.#selected(query, selection.again()) : null;
  }

  /** The same rows in the same order, be they sorted into place since; null where any came, went or changed: those are no more. */
  selectSame(selected: Selected<R>): Selected<R> | null {
    return selected.selection.isOfNow ? this.selectAgain(selected) : null;
  }

  #selected(query: Query, selection: Selection): Selected<R> {
    const { table, generation } = this.#stored;
    return { query, selection, overlay: this.#overlay, generation, table, codes: table.codesKnown };
  }

  /**
   * The full rows of a window, in order, with the edited rows as they stood when it was selected.
   * @throws DamagedSetError where one is not there; ClosedSetError where they may have been dropped.
   */
  async rowsOf({ places, overlaid }: Pick<Window, 'places' | 'overlaid'>, overlay: readonly R[]): Promise<R[]> {
    const held = (await this.#storedAt([...places].filter((_, index) => overlaid[index] === 0))).values();
    return [...places].flatMap((place, index) => {
      const row = overlaid[index] === 1 ? overlay[place] : held.next().value;
      return row ? [row] : [];
    });
  }

  #storedAt(places: readonly number[]): Promise<R[]> {
    return this.#unlessClosed(this.#stored.rowsAt(places));
  }

  async #unlessClosed<T>(reading: Promise<T>): Promise<T> {
    await reading.catch(() => undefined);
    // where they were dropped meanwhile others may have their places
    if (this.#isClosed) throw new ClosedSetError();
    return reading;
  }

  async #readRest(): Promise<void> {
    await this.#stored.rest;
    // noted while this waits, more edits lie over the rows when it goes on
    for (let laid: unknown; laid !== this.#edits; ) {
      laid = this.#edits;
      if (this.#edits.size > 0 || this.#overlay.length > 0) await this.#layOver();
    }
    this.#since = null;
  }

  async #reload(): Promise<void> {
    await this.whole;
    const reloading = this.#stored.reload().then(() => this.#layOver());
    this.#reloading = reloading.catch(() => undefined);
    await reloading;
  }

  /** One laying after another, each from what is held when its turn comes: a later one never gives way to an earlier row. */
  #layOver(): Promise<void> {
    const laying = this.#layings.then(async () => {
      const held = await this.#stored.rowsOf([...this.#edits.keys()]);
      this.#overlay = held.map((row) => this.#folded(row));
      this.#stored.table.setOverlay(
        this.#overlay.map(this.#noun.toColumns),
        this.#overlay.map((_, index) => index),
      );
      this.#isUnlaid = false;
    });
    this.#layings = laying.catch(() => {
      this.#isUnlaid = true;
    });
    return laying;
  }

  #folded(row: R): R {
    // only nouns that edits can touch are ever given edits
    return foldRow(this.key.noun as EditedNoun, row as NounRow[EditedNoun] & R, this.#edits.get(row.id) ?? []) as NounRow[EditedNoun] & R;
  }

  /** Resolves once what is stored is known: a connection may be lost between a commit and its answer. */
  async #whatIsStored(): Promise<void> {
    if (this.#isUnlaid || (this.#isUnsure && (await this.#stored.isBehind()))) {
      await this.#reload();
      this.#onFound();
    }
    this.#isUnsure = false;
  }

  async #prepare(change: SetChange<R>): Promise<Storing> {
    if (this.#isClosed) throw new ClosedSetError();
    await this.whole;
    await this.#whatIsStored();
    const store = await this.#stored.prepare(change);
    return async (tx) => {
      this.#isUnsure = true;
      const { ids, take: takeUp } = await store(tx);
      const take = (): void => {
        takeUp();
        this.#isUnsure = false;
      };
      const finish = async (): Promise<void> => {
        if (ids.some((id) => this.#edits.has(id))) await this.#layOver();
        if (this.#stored.unsorted >= sealAt) await this.#seal();
      };
      return { count: ids.length, take, finish };
    };
  }

  async #seal(goesOn: () => boolean = () => true): Promise<void> {
    try {
      await this.#stored.seal(goesOn);
    } catch (error) {
      // all may have been read again, or could not be
      this.#isUnsure = true;
      await this.#layOver();
      throw error;
    }
  }

  #write<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writes.then(work);
    this.#writes = result.catch(() => undefined);
    return result;
  }
}
