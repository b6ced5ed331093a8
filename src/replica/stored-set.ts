import type { Rewriting, Sealed } from '#columns/rewriting.ts';
import type { StoredText } from '#columns/segments.ts';
import type { Table } from '#columns/table.ts';
import { ColdRows, coldRecordsOf, goneRow } from './cold-rows.ts';
import type { ColumnNoun, ColumnRow } from './column-nouns.ts';
import { countsAfter, countsOf, type RowCounts, withCountedBefore } from './counts.ts';
import { goneIn } from './gone.ts';
import type { Replica } from './open.ts';
import type { ManifestRecord, RowTables } from './row-tables.ts';
import { DamagedSetError, type SetKey } from './set-errors.ts';
import { type Known, newsOf } from './set-news.ts';
import { attachRest, nextManifest, type OpenedSet, openSet, segmentKey, storeSealed, textTier } from './set-storage.ts';
import type { SetChange } from './set-writes.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** Lets whatever else waits go first, and goes on. */
export type Breathe = () => Promise<void>;

/** What of a change was news, and was written. */
interface StoredNews {
  /** Ids of the rows that are new, changed or gone. */
  ids: string[];
  /** Takes up in memory what is stored now. */
  take: () => void;
}

/** What a change is written on. */
interface Before<R> {
  /** Rows that are held, of those the change is about. */
  held: ReadonlyMap<string, R>;
  counts: RowCounts;
}

/**
 * One set as it is on disk: its columns in memory, its full rows in records that are fetched when they are asked for. What is written
 * to the one is taken up in the other. Whoever writes (changes, sealing, reloading) does so one after another.
 */
export class StoredSet<R extends ColumnRow> {
  readonly key: SetKey;
  /** All rows with a later time are there from the beginning; null where all rows are. */
  readonly since: number | null;
  /** Resolves once all rows are read. Rejects with a DamagedSetError where they cannot be. */
  readonly rest: Promise<void>;
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
  /** How many rows of each scope are held, as is stored; null until this set has stored it, whatever is stored before. */
  #counts: RowCounts | null = null;
  /** The columns in memory are sealed, and whether those on disk are nobody knows: they are to be read again. */
  #isUnsure = false;
  /** How many codes there were when what they stand for was stored last; null until this set has done it. */
  #codesStored: number | null = null;

  private constructor(replica: Replica, noun: ColumnNoun<R>, key: SetKey, breathe: Breathe, opened: OpenedSet) {
    this.#replica = replica;
    this.#noun = noun;
    this.#breathe = breathe;
    this.key = key;
    this.since = opened.since;
    this.#cold = new ColdRows(replica.rows, key);
    this.#table = opened.table;
    this.#manifest = opened.manifest;
    this.#nextNo = opened.nextNo;
    this.#generation = opened.generation;
    this.#unsealedGone = opened.gone.size;
    this.rest = attachRest(key, opened);
  }

  /** Opens what is stored, the newest rows first. @throws DamagedSetError where it is not what was written. */
  static async open<R extends ColumnRow>(replica: Replica, noun: ColumnNoun<R>, set: string, breathe: Breathe): Promise<StoredSet<R>> {
    return new StoredSet(replica, noun, { noun: noun.noun, set }, breathe, await openSet(replica, noun, set));
  }

  /** The columns, until they are read again. */
  get table(): Table {
    return this.#table;
  }

  /** Which database the rows are of; null where that is not known. */
  get generation(): string | null {
    return this.#generation;
  }

  /** The stored state that was read or written last; another worker's writes make it grow. */
  get rev(): number {
    return this.#manifest.rev;
  }

  /** Rows that came or went since the last seal. */
  get unsorted(): number {
    return this.#table.deltaRows + this.#unsealedGone;
  }

  /** The full rows at some places, in their order. @throws DamagedSetError where one is not there. */
  rowsAt(places: readonly number[]): Promise<R[]> {
    return this.#cold.at(places);
  }

  /** The full rows of some ids, of those that are held. */
  rowsOf(ids: readonly string[]): Promise<R[]> {
    return this.rowsAt(ids.map((id) => this.#table.placeOf(id)).filter((place) => place !== undefined));
  }

  /** Whether what is stored is of another state than was read or written last. */
  async isBehind(): Promise<boolean> {
    if (this.#isUnsure) return true;
    const { noun, set } = this.key;
    const manifest = await this.#replica.rows.read(['manifests'], (tx) => tx.get('manifests', [noun, set]));
    return (manifest?.rev ?? 0) !== this.#manifest.rev;
  }

  /** Reads all of it again. */
  async reload(): Promise<void> {
    const opened = await openSet(this.#replica, this.#noun, this.key.set);
    await attachRest(this.key, opened);
    this.#table = opened.table;
    this.#manifest = opened.manifest;
    this.#nextNo = opened.nextNo;
    this.#generation = opened.generation;
    this.#unsealedGone = opened.gone.size;
    this.#counts = null;
    this.#codesStored = null;
    this.#cold.forget();
    this.#isUnsure = false;
  }

  /**
   * Makes ready to write a change, of which rows held in the same or a newer version are left alone. Once all rows are read.
   * @returns how to write it, within a transaction over `cold`, `manifests`, `counts` and `gone`.
   */
  async prepare(change: SetChange<R>): Promise<(tx: StoreWriting<RowTables>) => Promise<StoredNews>> {
    const undone = (change.undone ?? []).map(({ row }) => row);
    const rows = await this.rowsOf([...change.rows, ...change.removed, ...undone].map(({ id }) => id));
    const held = new Map(rows.map((row) => [row.id, row]));
    const counted = this.#counts ?? countsOf(this.#table, this.#noun.schema);
    return async (tx) => this.#store(tx, change, { held, counts: this.#counts ?? (await this.#withStoredCounts(tx, counted)) });
  }

  async #withStoredCounts(tx: StoreReading<RowTables>, counts: RowCounts): Promise<RowCounts> {
    const { noun, set } = this.key;
    return withCountedBefore(counts, (await tx.get('counts', [noun, set]))?.rows ?? {});
  }

  async #store(tx: StoreWriting<RowTables>, change: SetChange<R>, { held, counts: before }: Before<R>): Promise<StoredNews> {
    const reading = goneIn(tx, this.key.noun, change.rows);
    // packed while that is read: seldom has any of the rows gone
    const likely = this.#packed(change, { held, gone: new Map() });
    const gone = await reading;
    const { news, written, records, places } = gone.size === 0 ? likely : this.#packed(change, { held, gone });
    const { rows, removed, came } = news;
    const counts = countsAfter(before, came);
    const stored = { ...this.key, rows: counts };
    if (written.length === 0) {
      if (!this.#counts) await tx.put('counts', stored);
      return { ids: [], take: () => void (this.#counts = counts) };
    }
    const manifest = { ...this.#manifest, rev: this.#manifest.rev + 1 };
    const toColumns = async () => rows.map(this.#noun.toColumns);
    // at once: each wait for the one before would cost as much as the writing, and so would what can be done while it is written
    const writing = [tx.addMany('cold', records), tx.put('manifests', manifest), tx.put('counts', stored)];
    const [columns] = await Promise.all([toColumns(), ...writing]);
    return {
      ids: written.map(({ id }) => id),
      take: () => {
        this.#table.put(columns, places.slice(0, rows.length));
        this.#table.remove(removed);
        // not before the rows are there: a seal says by the number up to which record they all are
        this.#manifest = manifest;
        this.#nextNo += records.length;
        this.#counts = counts;
        this.#unsealedGone += removed.length;
      },
    };
  }

  /** What a change comes to on what is known, as records. */
  #packed(change: SetChange<R>, known: Known<R>) {
    const news = newsOf(change, known);
    const written = [...news.rows, ...news.removed.map(goneRow)];
    return { news, written, ...coldRecordsOf(this.key, this.#nextNo, written) };
  }

  /**
   * Sorts the waiting rows into segments and merges small ones, in slices between which queries are answered.
   * @param goesOn asked before each merging.
   * @throws what the store throws: where it refused, all was read again, and no edits lie over it.
   */
  async seal(goesOn: () => boolean): Promise<void> {
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
    await this.loadTexts(needed());
    const rewriting = begin();
    if (!rewriting) return false;
    const sealed = await this.#finished(rewriting);
    const manifest = nextManifest(this.#manifest, sealed, this.#nextNo);
    const { codesKnown } = this.#table;
    this.#isUnsure = true;
    try {
      await storeSealed(this.#replica, manifest, sealed, { isNamed: codesKnown === this.#codesStored });
    } catch (error) {
      // the columns in memory are sealed, those on disk are not: only what is on disk counts
      await this.reload();
      throw error;
    }
    this.#manifest = manifest;
    this.#codesStored = codesKnown;
    this.#isUnsure = false;
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

  /** Reads the texts of some partitions. @throws DamagedSetError where they are not what was written. */
  async loadTexts(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) for (const column of this.#table.textColumns) await this.#loadText(partition, column);
  }

  async #loadText(partition: number, column: string): Promise<void> {
    const table = this.#table;
    const key = segmentKey(this.key, partition, textTier(column));
    const record = await this.#replica.rows.read(['segments'], (tx) => tx.get('segments', key));
    // sealed or reloaded while it was read: that partition is no more
    if (this.#table !== table || !this.#table.hasPartition(partition)) return;
    if (!record) throw new DamagedSetError(this.key, 'columns', `the text "${column}" of partition ${partition} is missing`);
    try {
      this.#table.loadText(partition, column, record.segment as StoredText);
    } catch (error) {
      throw new DamagedSetError(this.key, 'columns', String(error));
    }
  }
}
