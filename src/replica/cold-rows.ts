import { PackedRows, RowPacker } from './packed-rows.ts';
import { RowLines } from './row-lines.ts';
import type { ColdRecord, RowStore } from './row-tables.ts';
import { DamagedSetError, type SetKey } from './set-errors.ts';

/**
 * Rows of one record, at most: the browser reads whole records, and a sorted list shows rows of as many as there are on screen; but each
 * record that is written costs as much as some kilobytes.
 */
const rowsPerRecord = 64;
/** Places of a record, a power of two, so that a place is a number and a position in one; records of older builds fill all of them. */
const placesPerRecord = 128;
/** Records kept in memory: some screens of scrolling. */
const recordsKept = 256;

/** Full rows as records to be stored, numbered from `firstNo` on, with the place of each row. */
export function coldRecordsOf(key: SetKey, firstNo: number, rows: readonly object[]): { records: ColdRecord[]; places: number[] } {
  const packer = new RowPacker();
  const records: ColdRecord[] = [];
  for (let start = 0; start < rows.length; start += rowsPerRecord) {
    const no = firstNo + records.length;
    records.push({ noun: key.noun, set: key.set, no, rows: packer.pack(rows.slice(start, start + rowsPerRecord)) });
  }
  const places = rows.map((_, index) => placeOf(firstNo + Math.floor(index / rowsPerRecord), index % rowsPerRecord));
  return { records, places };
}

/** What stands in a record where a row went: the rows of its id in earlier records are no more. */
interface GoneRow {
  id: string;
  _gone: true;
}

export function goneRow(id: string): GoneRow {
  return { id, _gone: true };
}

export function isGoneRow(row: object): row is GoneRow {
  return '_gone' in row;
}

/** Where a row lies: a record's number and the position in it, as one number. */
export function placeOf(no: number, index: number): number {
  return no * placesPerRecord + index;
}

/** The rows of one record; whatever reads one throws where it is not what was written. */
type StoredRows<R> = Pick<PackedRows<R>, 'at' | 'all'>;

/** The rows of a record, in whatever form. Throws where they are not what was written. */
export function storedRows<R>({ rows }: Pick<ColdRecord, 'rows'>): StoredRows<R> {
  return typeof rows === 'string' ? new RowLines<R>(rows) : new PackedRows<R>(rows);
}

/** All rows of a record. @throws DamagedSetError where it cannot be read. */
export function readRecord<R>(record: ColdRecord): R[] {
  return readOrDamaged(record, record.no, () => storedRows<R>(record).all());
}

/** What cannot be read was not written so. */
function readOrDamaged<T>(key: SetKey, no: number, read: () => T): T {
  try {
    return read();
  } catch {
    throw new DamagedSetError(key, 'rows', `record ${no} cannot be read`);
  }
}

/** The full rows of one set, by their places. */
export class ColdRows<R extends object> {
  readonly #store: RowStore;
  readonly #key: SetKey;
  readonly #read = new Map<number, StoredRows<R>>();

  constructor(store: RowStore, key: SetKey) {
    this.#store = store;
    this.#key = key;
  }

  /**
   * The rows at some places, in their order.
   * @throws DamagedSetError where one is not there.
   */
  async at(places: readonly number[]): Promise<R[]> {
    const { noun, set } = this.#key;
    const numbers = [...new Set(places.map((place) => Math.floor(place / placesPerRecord)))];
    // what is in memory now may be let go of while the others are read
    const needed = new Map(numbers.map((no) => [no, this.#read.get(no)]));
    const missing = numbers.filter((no) => needed.get(no) === undefined);
    const keys = missing.map((no): [string, string, number] => [noun, set, no]);
    const records = keys.length === 0 ? [] : await this.#store.read(['cold'], (tx) => tx.getMany('cold', keys));
    for (const record of records) {
      if (!record) continue;
      const rows = readOrDamaged(this.#key, record.no, () => storedRows<R>(record));
      needed.set(record.no, rows);
      this.#keep(record.no, rows);
    }
    return places.map((place) => {
      const no = Math.floor(place / placesPerRecord);
      const row = readOrDamaged(this.#key, no, () => needed.get(no)?.at(place % placesPerRecord));
      // leaving it out would put every later row in the wrong place
      if (!row) throw new DamagedSetError(this.#key, 'rows', `row ${place} is missing`);
      return row;
    });
  }

  forget(): void {
    this.#read.clear();
  }

  #keep(no: number, rows: StoredRows<R>): void {
    this.#read.set(no, rows);
    const oldest = this.#read.keys().next().value;
    if (this.#read.size > recordsKept && oldest !== undefined) this.#read.delete(oldest);
  }
}
