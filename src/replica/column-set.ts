import type { Rewriting, Sealed } from '#columns/rewriting.ts';
import type { Selection, Window } from '#columns/selection.ts';
import type { Query } from '#columns/query.ts';
import type { Table } from '#columns/table.ts';
import type { TextTier } from '#columns/segments.ts';
import type { EditedNoun } from '#contract/mutations.ts';
import { isNoRoom } from './ballast.ts';
import { ColdRows, coldRecordsOf, goneRow } from './cold-rows.ts';
import type { ColumnNoun, ColumnRow } from './column-nouns.ts';
import { goneVersions } from './gone.ts';
import type { Replica } from './open.ts';
import type { OutboxRow } from './outbox-tables.ts';
import { foldRow, type NounRow } from './overlay.ts';
import { countRows, type PullStanding, putStanding } from './pulls.ts';
import type { ManifestRecord } from './row-tables.ts';
import { ClosedSetError, DamagedSetError, type SetKey } from './set-errors.ts';
import { newsOf, type SetNews } from './set-news.ts';
import { type PreparedChange, type SetChange, type SetPart, writeSets } from './set-writes.ts';
import { attachRest, nextManifest, type OpenedSet, openSet, segmentKey, storeSealed } from './set-storage.ts';

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

/** Lets whatever else waits go first, and goes on. */
export type Breathe = () => Promise<void>;

/**
 * One set of a noun (a client's transactions): columns in memory for filtering and sums, full rows on disk in records of about a
 * hundred, fetched for what is on screen. Every page is written with its cursor in one transaction; the columns of unsealed rows
 * are made anew from the records at the next start.
 *
 * Writes (pages, sealing, reloading) go one after another. Queries and edits do not wait for them: the columns change only in
 * single steps between which every answer is whole.
 */
export class ColumnSet<R extends ColumnRow> {
  readonly key: SetKey;
  /** Resolves once all rows are read, with the edits laid over them. Rejects with a DamagedSetError where they cannot be. */
  readonly whole: Promise<void>;
  readonly #noun: ColumnNoun<R>;
  readonly #replica: Replica;
  readonly #breathe: Breathe;
  readonly #cold: ColdRows<R>;
  #table: Table;
  #manifest: ManifestRecord;
  #nextNo: number;
  #generation: string | null;
  /** Rows that went since the last seal: their removal is still to be read from the records at the next start. */
  #unsealedGone: number;
  #edits: ReadonlyMap<string, readonly OutboxRow[]> = new Map();
  #overlay: readonly R[] = [];
  #loads = 0;
  #isClosed = false;
  /** The stored state that there was no room to sort. */
  #noRoomAt: number | null = null;
  /** All rows with a later time are there already; null once all rows are, with the edits laid over them. */
  #since: number | null;
  #writes: Promise<unknown> = Promise.resolve();
  #layings: Promise<unknown> = Promise.resolve();

  private constructor(replica: Replica, noun: ColumnNoun<R>, key: SetKey, breathe: Breathe, opened: OpenedSet) {
    this.#replica = replica;
    this.#noun = noun;
    this.#breathe = breathe;
    this.key = key;
    this.#cold = new ColdRows(replica.rows, key);
    this.#table = opened.table;
    this.#manifest = opened.manifest;
    this.#nextNo = opened.nextNo;
    this.#generation = opened.generation;
    this.#unsealedGone = opened.gone.size;
    this.#since = opened.since;
    this.whole = this.#readRest(opened);
    // told to whoever asks for more than the newest rows
    this.whole.catch(() => undefined);
  }

  /**
   * Opens what is held of a set. The newest rows are there at once (see `first`), everything else waits for all of them.
   * @throws DamagedSetError where what is stored is not what was written.
   */
  static async open<R extends ColumnRow>(replica: Replica, noun: ColumnNoun<R>, set: string, breathe: Breathe): Promise<ColumnSet<R>> {
    return new ColumnSet(replica, noun, { noun: noun.noun, set }, breathe, await openSet(replica, noun, set));
  }

  /** The stored state this set has seen; another worker's writes make it grow. */
  get storedRev(): number {
    return this.#manifest.rev;
  }

  /** Changes whenever a query could have another answer than before. */
  get stamp(): string {
    return `${this.#loads}.${this.#table.revision}`;
  }

  /** Whether a row of an id is held. */
  holds(id: string): boolean {
    return this.#table.has(id);
  }

  codes(column: string): readonly (string | null)[] {
    return this.#table.codes(column);
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
      const isWorthIt = this.#unsorted >= sealAtRest && this.#table.rowsToSeal <= this.#unsorted * mostPerWaiting;
      if (this.#isClosed || !isWorthIt || this.#noRoomAt === this.#manifest.rev || !goesOn()) return;
      try {
        await this.#seal(goesOn);
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        // what waits can go on waiting, until there is more of it
        this.#noRoomAt = this.#manifest.rev;
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
  apply(rows: readonly R[], standing?: PullStanding): Promise<number> {
    return this.change({ rows, removed: [] }, standing);
  }

  /** The same for rows that came and rows that went. */
  change(change: SetChange<R>, standing?: PullStanding): Promise<number> {
    return writeSets(this.#replica.rows, [this.part(change)], {
      tables: ['pulls', 'meta'],
      write: async (tx) => {
        if (standing) await putStanding(tx, standing);
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
    return isUntouched || this.#since !== null ? Promise.resolve() : this.#layOver();
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
    if (isSorted || this.#edits.size > 0 || this.#table.needsText(query).length > 0) return null;
    const selection = this.#table.select(query);
    if (this.#since !== null && !(selection.timeAt(limit - 1) > this.#since)) return null;
    return this.#selected(query, selection);
  }

  /** Runs a query, loading the texts it needs first. `make` is called when the columns are ready for it. */
  async select(make: () => Query): Promise<Selected<R>> {
    if (this.#since !== null) await this.whole;
    for (;;) {
      const query = make();
      const missing = this.#table.needsText(query);
      if (missing.length === 0) return this.#selected(query, this.#table.select(query));
      // sealed meanwhile, the columns may need other texts than these
      await this.#loadTexts(missing);
    }
  }

  /** The same query as the set is now, by what has changed since; null where it has to be selected anew. */
  selectAgain({ query, selection, table, codes }: Selected<R>): Selected<R> | null {
    const isSame = table === this.#table && codes === table.codesKnown && table.needsText(query).length === 0;
    return isSame ? this.#selected(query, selection.again()) : null;
  }

  #selected(query: Query, selection: Selection): Selected<R> {
    return { query, selection, overlay: this.#overlay, generation: this.#generation, table: this.#table, codes: this.#table.codesKnown };
  }

  /**
   * The full rows of a window, in order, with the edited rows as they stood when it was selected.
   * @throws DamagedSetError where one is not there.
   */
  async rowsOf({ places, overlaid }: Pick<Window, 'places' | 'overlaid'>, overlay: readonly R[]): Promise<R[]> {
    const held = (await this.#cold.at([...places].filter((_, index) => overlaid[index] === 0))).values();
    return [...places].flatMap((place, index) => {
      const row = overlaid[index] === 1 ? overlay[place] : held.next().value;
      return row ? [row] : [];
    });
  }

  /** The held rows of some ids. */
  #rowsById(ids: readonly string[]): Promise<R[]> {
    return this.#cold.at(ids.map((id) => this.#table.placeOf(id)).filter((place) => place !== undefined));
  }

  async #readRest(opened: OpenedSet): Promise<void> {
    await attachRest(this.key, opened);
    // noted while this waits, more edits lie over the rows when it goes on
    for (let laid: unknown; laid !== this.#edits; ) {
      laid = this.#edits;
      if (this.#edits.size > 0) await this.#layOver();
    }
    this.#since = null;
  }

  async #reload(): Promise<void> {
    await this.whole;
    const opened = await openSet(this.#replica, this.#noun, this.key.set);
    await attachRest(this.key, opened);
    this.#table = opened.table;
    this.#loads += 1;
    this.#manifest = opened.manifest;
    this.#nextNo = opened.nextNo;
    this.#generation = opened.generation;
    this.#unsealedGone = opened.gone.size;
    this.#cold.forget();
    await this.#layOver();
  }

  /** One laying after another, each from what is held when its turn comes: a later one never gives way to an earlier row. */
  #layOver(): Promise<void> {
    const laying = this.#layings.then(async () => {
      const held = await this.#rowsById([...this.#edits.keys()]);
      this.#overlay = held.map((row) => this.#folded(row));
      this.#table.setOverlay(
        this.#overlay.map(this.#noun.toColumns),
        this.#overlay.map((_, index) => index),
      );
    });
    this.#layings = laying.catch(() => undefined);
    return laying;
  }

  #folded(row: R): R {
    // only nouns that edits can touch are ever given edits
    return foldRow(this.key.noun as EditedNoun, row as NounRow[EditedNoun] & R, this.#edits.get(row.id) ?? []) as NounRow[EditedNoun] & R;
  }

  async #prepare(change: SetChange<R>): Promise<PreparedChange> {
    if (this.#isClosed) throw new ClosedSetError();
    await this.whole;
    const { rows, removed, came } = await this.#newsOf(change);
    const written = [...rows, ...removed.map(goneRow)];
    const { records, places } = coldRecordsOf(this.key, this.#nextNo, written);
    const manifest = { ...this.#manifest, rev: this.#manifest.rev + 1 };
    return {
      count: written.length,
      store: async (tx) => {
        if (records.length === 0) return;
        await tx.addMany('cold', records);
        await tx.put('manifests', manifest);
        await countRows(tx, this.key.noun, came);
      },
      take: () => {
        if (records.length === 0) return;
        this.#table.put(rows.map(this.#noun.toColumns), places.slice(0, rows.length));
        this.#table.remove(removed);
        // not before the rows are there: a seal says by the number up to which record they all are
        this.#manifest = manifest;
        this.#nextNo += records.length;
        this.#unsealedGone += removed.length;
      },
      finish: async () => {
        if (written.some(({ id }) => this.#edits.has(id))) await this.#layOver();
        if (this.#unsorted >= sealAt) await this.#seal();
      },
    };
  }

  async #newsOf(change: SetChange<R>): Promise<SetNews<R>> {
    const held = await this.#rowsById([...change.rows, ...change.removed].map(({ id }) => id));
    const gone = await goneVersions(this.#replica.rows, this.key.noun, change.rows);
    return newsOf(this.#noun, change, { held: new Map(held.map((row) => [row.id, row])), gone });
  }

  /** Rows that came or went since the last seal. */
  get #unsorted(): number {
    return this.#table.deltaRows + this.#unsealedGone;
  }

  /** Sorts the waiting rows into segments and merges small ones, in slices between which queries are answered. */
  async #seal(goesOn: () => boolean = () => true): Promise<void> {
    await this.#rewrite(
      () => this.#table.textNeededToSeal(),
      () => this.#table.beginSeal(),
    );
    this.#unsealedGone = 0;
    while (
      goesOn() &&
      (await this.#rewrite(
        () => this.#table.textNeededToCompact(),
        () => this.#table.beginCompaction(),
      ))
    );
  }

  /** @returns whether there was anything to do. */
  async #rewrite(needed: () => number[], begin: () => Rewriting | null): Promise<boolean> {
    await this.#loadTexts(needed());
    const rewriting = begin();
    if (!rewriting) return false;
    const sealed = await this.#finished(rewriting);
    const manifest = nextManifest(this.#manifest, sealed, this.#nextNo);
    try {
      await storeSealed(this.#replica, manifest, sealed);
    } catch (error) {
      // the columns in memory are sealed, those on disk are not: only what is on disk counts
      await this.#reload();
      throw error;
    }
    this.#manifest = manifest;
    return true;
  }

  async #finished(rewriting: Rewriting): Promise<Sealed> {
    try {
      while (rewriting.step()) await this.#breathe();
      return rewriting.finish();
    } catch (error) {
      // one that stays begun would let no row come any more
      rewriting.abandon();
      throw error;
    }
  }

  async #loadTexts(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      const table = this.#table;
      const key = segmentKey(this.key, partition, 'text');
      const record = await this.#replica.rows.read(['segments'], (tx) => tx.get('segments', key));
      // sealed or reloaded while it was read: that partition is no more
      if (this.#table !== table || !this.#table.hasPartition(partition)) continue;
      if (!record) throw new DamagedSetError(this.key, 'columns', `the texts of partition ${partition} are missing`);
      try {
        this.#table.loadText(partition, record.segment as TextTier);
      } catch (error) {
        throw new DamagedSetError(this.key, 'columns', String(error));
      }
    }
  }

  #write<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writes.then(work);
    this.#writes = result.catch(() => undefined);
    return result;
  }
}
