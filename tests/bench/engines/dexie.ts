import { Dexie, type Table } from 'dexie';
import type { Transaction } from '../../../src/contract/transactions.ts';
import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import { type FilterQuestion, type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { Engine, Found, TypeSum } from './engine.ts';

/** A row with numbers for the keys of the indexes: IndexedDB compares them many times faster than texts and knows neither true nor null. */
interface Stored extends Transaction {
  _time: number;
  /** Signed dollars as a float; none is below everything. */
  _usd: number;
  _account: number;
  _entity: number;
}

/** The two indexes that writing is measured with. */
const byTime = '_time';
const byAccount = '[_account+_time]';
/** Made before questions are asked. */
const byDollars = '[_entity+_usd+_time]';
/** Rows read in one request of a scan. */
const scanRows = 10_000;

class BenchDatabase extends Dexie {
  rows!: Table<Stored, string>;
  names!: Table<{ id: string; no: number }, string>;

  constructor() {
    super('bench-dexie');
    this.version(1).stores({ rows: `&id, ${byTime}, ${byAccount}`, names: '&id' });
  }
}

/**
 * A record a row, with the index that suits each question best. A few accounts are read through their index; for anything
 * wide all rows are read by thousands, which is faster than walking as many keys, and much faster than reading rows through an index.
 */
export class DexieEngine implements Engine<readonly string[]> {
  private database = new BenchDatabase();
  private readonly names = new Map<string, number>();

  async open(): Promise<void> {
    // The version the database is at: after `prepareQuestions` it has more indexes than are declared first.
    this.database = new BenchDatabase();
    if ((await Dexie.getDatabaseNames()).includes('bench-dexie')) this.declareQuestions();
    await this.database.open();
    for (const { id, no } of await this.database.names.orderBy('id').toArray()) this.names.set(id, no);
  }

  async add(page: readonly Transaction[]): Promise<void> {
    const known = this.names.size;
    const stored = page.map((row) => this.stored(row));
    const fresh = [...this.names].slice(known);
    if (fresh.length > 0) await this.database.names.bulkPut(fresh.map(([id, no]) => ({ id, no })));
    await this.database.rows.bulkPut(stored);
  }

  async prepareQuestions(): Promise<void> {
    this.database.close();
    this.database = new BenchDatabase();
    this.declareQuestions();
    await this.database.open();
  }

  async newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }> {
    const { rows } = this.database;
    const [count, newest] = await Promise.all([counted ? rows.count() : null, rows.orderBy(byTime).reverse().limit(windowRows).toArray()]);
    return { count, rows: newest.map(asRow) };
  }

  find(question: RowQuestion): Promise<Found<readonly string[]>> {
    switch (question.name) {
      case 'q1':
        return this.narrow(question);
      case 'q1w':
        return this.wide(question);
      case 'q2':
        return this.sorted(question.entity_id);
      case 'q3':
        return this.search(question.text);
    }
  }

  async sum({ from, to }: SumQuestion): Promise<TypeSum[]> {
    const sums = new Map<number, { count: number; usd: number }>();
    await this.scan(({ _time, _usd, trx_type_id }) => {
      if (_time < from || _time > to) return;
      const sum = sums.get(trx_type_id) ?? { count: 0, usd: 0 };
      sum.count++;
      if (_usd !== -Infinity) sum.usd += _usd;
      sums.set(trx_type_id, sum);
    });
    return Array.from(sums, ([type, sum]) => ({ type, ...sum }));
  }

  async rowsOf(keys: readonly string[]): Promise<Transaction[]> {
    return (await this.database.rows.bulkGet([...keys])).flatMap((row) => (row ? [asRow(row)] : []));
  }

  private declareQuestions(): void {
    this.database.version(2).stores({ rows: `&id, ${byTime}, ${byAccount}, ${byDollars}` });
  }

  /** A few accounts: a range of the index for each, whose rows are read and looked through. */
  private async narrow({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): Promise<Found<readonly string[]>> {
    const types = new Set(type_ids);
    const ranges = account_ids.map((id) => this.numberOf(id));
    const read = await this.database.transaction('r', this.database.rows, () =>
      Promise.all(
        ranges.map((account) => this.database.rows.where(byAccount).between([account, from], [account, to], true, true).toArray()),
      ),
    );
    const found = read.flat().filter((row) => row[flag] === isSet && types.has(row.trx_type_id));
    return newestOf(found.map(({ _time, id }) => ({ time: _time, id })));
  }

  private async wide({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): Promise<Found<readonly string[]>> {
    const accounts = new Set(account_ids.map((id) => this.numberOf(id)));
    const types = new Set(type_ids);
    const found: Named[] = [];
    await this.scan((row) => {
      if (row._time < from || row._time > to || row[flag] !== isSet || !types.has(row.trx_type_id) || !accounts.has(row._account)) return;
      found.push({ time: row._time, id: row.id });
    });
    return newestOf(found);
  }

  private async sorted(entity: string): Promise<Found<readonly string[]>> {
    const no = this.numberOf(entity);
    const all = () => this.database.rows.where(byDollars).between([no, -Infinity], [no, []], true, true);
    const [count, keys] = await this.database.transaction('r', this.database.rows, () =>
      Promise.all([all().count(), all().reverse().limit(windowRows).primaryKeys()]),
    );
    return { count, keys };
  }

  private async search(text: string): Promise<Found<readonly string[]>> {
    const found: Named[] = [];
    await this.scan((row) => {
      if (row.tx_hash?.includes(text) || row.description?.toLowerCase().includes(text)) found.push({ time: row._time, id: row.id });
    });
    return newestOf(found);
  }

  /** Reads all rows in the order of their ids. */
  private async scan(visit: (row: Stored) => void): Promise<void> {
    const { rows } = this.database;
    let some = await rows.orderBy('id').limit(scanRows).toArray();
    while (some.length > 0) {
      for (const row of some) visit(row);
      some = await rows
        .where('id')
        .above((some.at(-1) as Stored).id)
        .limit(scanRows)
        .toArray();
    }
  }

  private numberOf(id: string): number {
    const known = this.names.get(id) ?? this.names.size + 1;
    this.names.set(id, known);
    return known;
  }

  private stored(row: Transaction): Stored {
    const signed = signedAmount(row.usd_value, row.trx_type_id);
    return {
      ...row,
      _time: Date.parse(row.trx_date),
      _usd: signed === null ? -Infinity : Number(signed),
      _account: this.numberOf(row.account_id),
      _entity: this.numberOf(row.entity_id),
    };
  }
}

/** What is kept of a matched row until the newest are known. */
interface Named {
  readonly time: number;
  readonly id: string;
}

function newestOf(found: Named[]): Found<readonly string[]> {
  found.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  return { count: found.length, keys: found.slice(0, windowRows).map(({ id }) => id) };
}

function asRow({ _time, _usd, _account, _entity, ...row }: Stored): Transaction {
  return row as Transaction;
}
