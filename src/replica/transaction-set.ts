import { splitSegment, type TextTier } from '#columns/segments.ts';
import type { Selection, Window } from '#columns/selection.ts';
import type { Query, Table } from '#columns/table.ts';
import type { Transaction } from '#contract/transactions.ts';
import { ColdRows, coldRecordsOf } from './cold-rows.ts';
import type { Replica } from './open.ts';
import type { OutboxRow } from './outbox-database.ts';
import { foldRow } from './overlay.ts';
import type { PullRow } from './pulls.ts';
import type { ManifestRecord } from './replica-database.ts';
import { DamagedSetError, DroppedSetError } from './set-errors.ts';
import { dropSet, type LoadedSet, loadSet, segmentKey, setNoun } from './set-storage.ts';
import { toColumns } from './transaction-columns.ts';

/** Rows that may wait unsorted; every query scans them. */
const sealAt = 8_192;

/** A query's answer with the edited rows as they stood then, so that a window of it is never mixed with later edits. */
export interface Selected {
  selection: Selection;
  overlay: readonly Transaction[];
}

/**
 * One client's transactions: columns in memory for filtering and sums, full rows on disk in records of about a hundred, fetched
 * for what is on screen. Every page is written with its cursor in one transaction; the columns of unsealed rows are made anew
 * from the records at the next start. All that reads or changes the columns happens in one line, one after another.
 */
export class TransactionSet {
  readonly clientId: string;
  readonly #replica: Replica;
  readonly #cold: ColdRows;
  #table: Table;
  #manifest: ManifestRecord;
  #nextNo: number;
  #edits: ReadonlyMap<string, readonly OutboxRow[]> = new Map();
  #overlay: readonly Transaction[] = [];
  #isDropped = false;
  #line: Promise<unknown> = Promise.resolve();

  private constructor(replica: Replica, clientId: string, loaded: LoadedSet) {
    this.#replica = replica;
    this.clientId = clientId;
    this.#cold = new ColdRows(replica.rows, setNoun, clientId);
    this.#table = loaded.table;
    this.#manifest = loaded.manifest;
    this.#nextNo = loaded.nextNo;
  }

  /**
   * Opens what is held of a client.
   * @throws DamagedSetError where what is stored is not what was written.
   */
  static async open(replica: Replica, clientId: string): Promise<TransactionSet> {
    return new TransactionSet(replica, clientId, await loadSet(replica, clientId));
  }

  /** The stored state this set has seen; another worker's writes make it grow. */
  get storedRev(): number {
    return this.#manifest.rev;
  }

  codes(column: 'account_id' | 'entity_id' | 'custodian_id' | 'security_id'): readonly (string | null)[] {
    return this.#table.codes(column);
  }

  /** Reads the stored state again, after another worker has written. */
  reload(): Promise<void> {
    return this.#inLine(() => this.#reload());
  }

  /** Removes all that is held, here and on disk, with the standing of its pulls. Whoever still holds this set can write nothing more. */
  drop(): Promise<void> {
    return this.#inLine(async () => {
      this.#isDropped = true;
      await dropSet(this.#replica, this.clientId);
    });
  }

  /**
   * Writes rows of a page, and the pull's new standing with them. Rows held in the same or a newer version are left alone.
   * @returns how many rows were new or changed.
   * @throws DroppedSetError where the set was dropped: nothing is written.
   */
  apply(rows: readonly Transaction[], pull?: PullRow): Promise<number> {
    return this.#inLine(async () => {
      if (this.#isDropped) throw new DroppedSetError();
      const fresh = await this.#newer(rows);
      const { records, places } = coldRecordsOf(setNoun, this.clientId, this.#nextNo, fresh);
      const manifest = { ...this.#manifest, rev: this.#manifest.rev + 1 };
      const { rows: database } = this.#replica;
      await database.transaction('rw', database.cold, database.pulls, database.manifests, async () => {
        if (records.length > 0) await database.cold.bulkAdd(records);
        if (records.length > 0) await database.manifests.put(manifest);
        if (pull) await database.pulls.put(pull);
      });
      if (fresh.length === 0) return 0;
      this.#manifest = manifest;
      this.#nextNo += records.length;
      this.#table.put(fresh.map(toColumns), places);
      if (fresh.some((row) => this.#edits.has(row.id))) await this.#layOver();
      if (this.#table.deltaRows >= sealAt) await this.#seal();
      return fresh.length;
    });
  }

  /** Lays these edits over the held rows they touch, until called again; rows that arrive later are edited as they come. */
  setEdits(edits: ReadonlyMap<string, readonly OutboxRow[]>): Promise<void> {
    return this.#inLine(async () => {
      this.#edits = edits;
      await this.#layOver();
    });
  }

  /** Runs a query, loading the texts it needs first. `make` is called when it is this query's turn. */
  select(make: () => Query): Promise<Selected> {
    return this.#inLine(async () => {
      const query = make();
      await this.#loadTexts(this.#table.needsText(query));
      return { selection: this.#table.select(query), overlay: this.#overlay };
    });
  }

  /**
   * The full rows of a window, in order, with the edited rows as they stood when it was selected.
   * @throws DamagedSetError where one is not there.
   */
  async rowsOf(window: Window, overlay: readonly Transaction[]): Promise<Transaction[]> {
    const base = [...window.places].filter((_, index) => window.overlaid[index] === 0);
    const held = (await this.#cold.at(base)).values();
    return [...window.places].flatMap((place, index) => {
      const row = window.overlaid[index] === 1 ? overlay[place] : held.next().value;
      return row ? [row] : [];
    });
  }

  /** The held rows of some ids. */
  #rowsById(ids: readonly string[]): Promise<Transaction[]> {
    return this.#cold.at(ids.map((id) => this.#table.placeOf(id)).filter((place) => place !== undefined));
  }

  async #reload(): Promise<void> {
    const loaded = await loadSet(this.#replica, this.clientId);
    this.#table = loaded.table;
    this.#manifest = loaded.manifest;
    this.#nextNo = loaded.nextNo;
    this.#cold.forget();
    await this.#layOver();
  }

  async #layOver(): Promise<void> {
    const held = await this.#rowsById([...this.#edits.keys()]);
    this.#overlay = held.map((row) => foldRow('transactions', row, this.#edits.get(row.id) ?? []));
    this.#table.setOverlay(
      this.#overlay.map(toColumns),
      this.#overlay.map((_, index) => index),
    );
  }

  async #newer(rows: readonly Transaction[]): Promise<Transaction[]> {
    const known = rows.filter((row) => this.#table.has(row.id));
    const held = new Map((await this.#rowsById(known.map((row) => row.id))).map((row) => [row.id, row]));
    return rows.filter((row) => {
      const before = held.get(row.id);
      if (!before) return true;
      // servers that number their versions say which is newer; of others the latest answer counts
      const isNumbered = Number.isInteger(row.version) && Number.isInteger(before.version);
      return isNumbered ? row.version > before.version : JSON.stringify(row) !== JSON.stringify(before);
    });
  }

  async #seal(): Promise<void> {
    await this.#loadTexts(this.#table.textNeededToSeal());
    const { written, dropped, dictionaries } = this.#table.seal();
    const kept = this.#manifest.partitions.filter((partition) => !dropped.includes(partition));
    const manifest: ManifestRecord = {
      ...this.#manifest,
      partitions: [...kept, ...written.map((segment) => segment.partition)],
      dictionaries,
      sealed_below: this.#nextNo,
      rev: this.#manifest.rev + 1,
    };
    const { rows: database } = this.#replica;
    const key = { noun: setNoun, set: this.clientId };
    try {
      await database.transaction('rw', database.segments, database.manifests, async () => {
        for (const segment of written) {
          const { hot, text } = splitSegment(segment);
          await database.segments.put({ ...key, partition: segment.partition, tier: 'hot', segment: hot });
          await database.segments.put({ ...key, partition: segment.partition, tier: 'text', segment: text });
        }
        const gone = dropped.flatMap((partition) => [
          segmentKey(this.clientId, partition, 'hot'),
          segmentKey(this.clientId, partition, 'text'),
        ]);
        await database.segments.bulkDelete(gone);
        await database.manifests.put(manifest);
      });
    } catch (error) {
      // the columns in memory are sealed, those on disk are not: only what is on disk counts
      await this.#reload();
      throw error;
    }
    this.#manifest = manifest;
  }

  async #loadTexts(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      const record = await this.#replica.rows.segments.get(segmentKey(this.clientId, partition, 'text'));
      if (!record) throw new DamagedSetError(this.clientId, `the texts of partition ${partition} are missing`);
      try {
        this.#table.loadText(partition, record.segment as TextTier);
      } catch (error) {
        throw new DamagedSetError(this.clientId, String(error));
      }
    }
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined);
    return result;
  }
}
