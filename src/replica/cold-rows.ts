import type { Transaction } from '#contract/transactions.ts';
import type { ColdRecord, ReplicaDatabase } from './replica-database.ts';
import { DamagedSetError } from './set-errors.ts';

/** Rows of one record, at most; a power of two, so that a place is a number and a position in one. */
const rowsPerRecord = 128;
/** Parsed records kept in memory: some screens of scrolling. */
const recordsKept = 256;

/** Full rows as records to be stored, numbered from `firstNo` on, with the place of each row. */
export function coldRecordsOf(
  noun: string,
  set: string,
  firstNo: number,
  rows: readonly Transaction[],
): { records: ColdRecord[]; places: number[] } {
  const records: ColdRecord[] = [];
  for (let start = 0; start < rows.length; start += rowsPerRecord) {
    records.push({ noun, set, no: firstNo + records.length, rows: JSON.stringify(rows.slice(start, start + rowsPerRecord)) });
  }
  const places = rows.map((_, index) => ColdRows.placeOf(firstNo + Math.floor(index / rowsPerRecord), index % rowsPerRecord));
  return { records, places };
}

/** The full rows of one set, by their places. */
export class ColdRows {
  readonly #database: ReplicaDatabase;
  readonly #noun: string;
  readonly #set: string;
  readonly #parsed = new Map<number, readonly Transaction[]>();

  constructor(database: ReplicaDatabase, noun: string, set: string) {
    this.#database = database;
    this.#noun = noun;
    this.#set = set;
  }

  static placeOf(no: number, index: number): number {
    return no * rowsPerRecord + index;
  }

  /**
   * The rows at some places, in their order.
   * @throws DamagedSetError where one is not there.
   */
  async at(places: readonly number[]): Promise<Transaction[]> {
    const numbers = [...new Set(places.map((place) => Math.floor(place / rowsPerRecord)))];
    const missing = numbers.filter((no) => !this.#parsed.has(no));
    const records = await this.#database.cold.bulkGet(missing.map((no): [string, string, number] => [this.#noun, this.#set, no]));
    const needed = new Map(numbers.map((no) => [no, this.#parsed.get(no)]));
    for (const record of records) {
      if (!record) continue;
      const rows = this.#read(record);
      needed.set(record.no, rows);
      this.#keep(record.no, rows);
    }
    return places.map((place) => {
      const row = needed.get(Math.floor(place / rowsPerRecord))?.[place % rowsPerRecord];
      // leaving it out would put every later row in the wrong place
      if (!row) throw new DamagedSetError(this.#set, `row ${place} is missing`);
      return row;
    });
  }

  #read(record: ColdRecord): readonly Transaction[] {
    try {
      return JSON.parse(record.rows) as Transaction[];
    } catch {
      throw new DamagedSetError(this.#set, `record ${record.no} cannot be read`);
    }
  }

  forget(): void {
    this.#parsed.clear();
  }

  #keep(no: number, rows: readonly Transaction[]): void {
    this.#parsed.set(no, rows);
    const oldest = this.#parsed.keys().next().value;
    if (this.#parsed.size > recordsKept && oldest !== undefined) this.#parsed.delete(oldest);
  }
}
