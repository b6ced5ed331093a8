import { verifySegment, type Segment, splitSegment, type TextTier } from '#columns/segments.ts';
import type { Selection, Window } from '#columns/selection.ts';
import { createTable, type Query, type Table } from '#columns/table.ts';
import type { Dictionaries } from '#columns/dictionaries.ts';
import type { Transaction } from '#contract/transactions.ts';
import { ColdRows, coldRecordsOf } from './cold-rows.ts';
import type { Replica } from './open.ts';
import type { PullRow } from './pulls.ts';
import type { ManifestRecord } from './replica-database.ts';
import { toColumns, transactionColumns, transactionFormat } from './transaction-columns.ts';

const noun = 'transactions';
/** Rows that may wait unsorted; every query scans them. */
const sealAt = 8_192;

/**
 * One client's transactions: columns in memory for filtering and sums, full rows on disk in records of about a hundred, fetched
 * for what is on screen. Every page is written with its cursor in one transaction; the columns of unsealed rows are made anew
 * from the records at the next start.
 */
export class TransactionSet {
  readonly clientId: string;
  readonly #replica: Replica;
  readonly #cold: ColdRows;
  #table: Table;
  #manifest: ManifestRecord;
  #nextNo: number;
  #overlay: readonly Transaction[] = [];
  #line: Promise<unknown> = Promise.resolve();

  private constructor(replica: Replica, clientId: string, loaded: Loaded) {
    this.#replica = replica;
    this.clientId = clientId;
    this.#cold = new ColdRows(replica.rows, noun, clientId);
    this.#table = loaded.table;
    this.#manifest = loaded.manifest;
    this.#nextNo = loaded.nextNo;
  }

  /**
   * Opens what is held of a client.
   * @throws DamagedSetError where the stored columns are not the ones that were written; see `dropSet`.
   */
  static async open(replica: Replica, clientId: string): Promise<TransactionSet> {
    return new TransactionSet(replica, clientId, await load(replica, clientId));
  }

  /** Grows with every change a query can see. */
  get revision(): number {
    return this.#table.revision;
  }

  /** The stored state this set has seen; another worker's writes make it grow. */
  get storedRev(): number {
    return this.#manifest.rev;
  }

  codes(column: 'account_id' | 'entity_id' | 'custodian_id' | 'security_id'): readonly (string | null)[] {
    return this.#table.codes(column);
  }

  has(id: string): boolean {
    return this.#table.has(id);
  }

  /** Reads the stored state again, after another worker has written. */
  async reload(): Promise<void> {
    await this.#inLine(async () => {
      const loaded = await load(this.#replica, this.clientId);
      this.#table = loaded.table;
      this.#manifest = loaded.manifest;
      this.#nextNo = loaded.nextNo;
      this.#cold.forget();
      this.#layOver();
    });
  }

  /**
   * Writes rows of a page, and the pull's new standing with them. Rows held in the same or a newer version are left alone.
   * @returns how many rows were new or changed.
   */
  apply(rows: readonly Transaction[], pull?: PullRow): Promise<number> {
    return this.#inLine(async () => {
      const fresh = await this.#newer(rows);
      const { records, places } = coldRecordsOf(noun, this.clientId, this.#nextNo, fresh);
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
      if (this.#table.deltaRows >= sealAt) await this.#seal();
      return fresh.length;
    });
  }

  /** The full rows of some ids that are held. */
  async rowsById(ids: readonly string[]): Promise<Transaction[]> {
    const places = ids.map((id) => this.#table.placeOf(id)).filter((place) => place !== undefined);
    return this.#cold.at(places);
  }

  /** Shows these rows in place of the held ones of the same ids, until called again. */
  setOverlay(rows: readonly Transaction[]): void {
    this.#overlay = rows;
    this.#layOver();
  }

  /** Runs a query, loading the texts it needs first. */
  async select(query: Query): Promise<Selection> {
    await this.#loadTexts(this.#table.needsText(query));
    return this.#table.select(query);
  }

  /** The full rows of a selection's window, in order. */
  async rowsOf(window: Window): Promise<Transaction[]> {
    const overlay = this.#overlay;
    const base = [...window.places].filter((_, index) => window.overlaid[index] === 0);
    const held = (await this.#cold.at(base)).values();
    return [...window.places].flatMap((place, index) => {
      const row = window.overlaid[index] === 1 ? overlay[place] : held.next().value;
      return row ? [row] : [];
    });
  }

  #layOver(): void {
    this.#table.setOverlay(
      this.#overlay.map(toColumns),
      this.#overlay.map((_, index) => index),
    );
  }

  async #newer(rows: readonly Transaction[]): Promise<Transaction[]> {
    const known = rows.filter((row) => this.#table.has(row.id));
    const held = new Map((await this.rowsById(known.map((row) => row.id))).map((row) => [row.id, row]));
    return rows.filter((row) => {
      const before = held.get(row.id);
      if (!before) return true;
      // servers that number their versions say which is newer; of others the latest answer counts
      return Number.isInteger(row.version) && Number.isInteger(before.version)
        ? row.version > before.version
        : JSON.stringify(row) !== JSON.stringify(before);
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
    const key = { noun, set: this.clientId };
    await database.transaction('rw', database.segments, database.manifests, async () => {
      for (const segment of written) {
        const { hot, text } = splitSegment(segment);
        await database.segments.put({ ...key, partition: segment.partition, tier: 'hot', segment: hot });
        await database.segments.put({ ...key, partition: segment.partition, tier: 'text', segment: text });
      }
      await database.segments.bulkDelete(
        dropped.flatMap((partition) => [keyOf(this.clientId, partition, 'hot'), keyOf(this.clientId, partition, 'text')]),
      );
      await database.manifests.put(manifest);
    });
    this.#manifest = manifest;
  }

  async #loadTexts(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      const record = await this.#replica.rows.segments.get(keyOf(this.clientId, partition, 'text'));
      if (!record) throw new DamagedSetError(this.clientId, `the texts of partition ${partition} are missing`);
      this.#table.loadText(partition, record.segment as TextTier);
    }
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined);
    return result;
  }
}

/** Stored columns that cannot be read. The server still has the rows: drop the set and pull it again. */
export class DamagedSetError extends Error {
  readonly clientId: string;

  constructor(clientId: string, reason: string) {
    super(`The local transactions of client ${clientId} are damaged: ${reason}`);
    this.name = 'DamagedSetError';
    this.clientId = clientId;
  }
}

function keyOf(clientId: string, partition: number, tier: 'hot' | 'text'): [string, string, number, string] {
  return [noun, clientId, partition, tier];
}

interface Loaded {
  table: Table;
  manifest: ManifestRecord;
  nextNo: number;
}

async function readTable({ rows }: Replica, clientId: string, manifest: ManifestRecord): Promise<Table> {
  const records = await rows.segments.bulkGet(manifest.partitions.map((partition) => keyOf(clientId, partition, 'hot')));
  const segments = records.map((record) => record?.segment as Segment | undefined);
  const whole = segments.filter((segment) => segment !== undefined && verifySegment(segment));
  if (whole.length < segments.length) throw new DamagedSetError(clientId, 'a segment is missing or has a wrong checksum');
  return createTable(transactionColumns, { segments: whole as Segment[], dictionaries: manifest.dictionaries as Dictionaries });
}

async function load(replica: Replica, clientId: string): Promise<Loaded> {
  const { rows } = replica;
  const stored = await rows.manifests.get([noun, clientId]);
  const fresh: ManifestRecord = {
    noun,
    set: clientId,
    format: transactionFormat,
    partitions: [],
    dictionaries: {},
    sealed_below: 0,
    rev: 0,
  };
  if (stored && stored.format !== transactionFormat) throw new DamagedSetError(clientId, 'it was written in another format');
  const manifest = stored ?? fresh;
  try {
    const table = await readTable(replica, clientId, manifest);
    const records = await rows.cold
      .where('[noun+set+no]')
      .between([noun, clientId, manifest.sealed_below], [noun, clientId, Infinity])
      .toArray();
    for (const record of records) {
      const unsealed = JSON.parse(record.rows) as Transaction[];
      table.put(
        unsealed.map(toColumns),
        unsealed.map((_, index) => ColdRows.placeOf(record.no, index)),
      );
    }
    return { table, manifest, nextNo: (records.at(-1)?.no ?? manifest.sealed_below - 1) + 1 };
  } catch (error) {
    if (error instanceof DamagedSetError) throw error;
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)
      throw new DamagedSetError(clientId, error.message);
    throw error;
  }
}

/** Drops what is held of a client's transactions and the standing of its pulls, so that they are pulled anew. */
export async function dropSet({ rows }: Replica, clientId: string): Promise<void> {
  const entities = await rows.entities.where({ client_id: clientId }).primaryKeys();
  await rows.transaction('rw', rows.segments, rows.cold, rows.manifests, rows.pulls, async () => {
    await rows.segments.where({ noun, set: clientId }).delete();
    await rows.cold.where('[noun+set+no]').between([noun, clientId, 0], [noun, clientId, Infinity]).delete();
    await rows.manifests.delete([noun, clientId]);
    await rows.pulls.bulkDelete(entities.map((id) => [`entity:${id}`, noun]));
  });
}
