import sqlite3InitModule, { type Database, type PreparedStatement, type SAHPoolUtil } from '@sqlite.org/sqlite-wasm';
import type { Transaction } from '../../../src/contract/transactions.ts';
import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import { textOf as unitsText, unitsOf } from '../workload/oracle.ts';
import { type FilterQuestion, flags, type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { Engine, Found, TypeSum } from './engine.ts';

interface Opened {
  readonly database: Database;
  readonly memory: () => Uint8Array;
}

/** Memory of the page cache in KiB: the indexes that are asked fit it at a million rows. */
const cacheKib = 262_144;

const texts = [
  'id',
  'account_id',
  'entity_id',
  'custodian_id',
  'security_id',
  'custodian_security_id',
  'quantity',
  'price',
  'usd_value',
  'fee_quantity',
  'fee_security_id',
  'fee_usd',
  'tx_hash',
  'from_address',
  'to_address',
  'description',
  'trade_group_id',
  'match_state',
  'trx_date',
] as const satisfies readonly (keyof Transaction)[];
const numbers = ['trx_type_id', 'version'] as const satisfies readonly (keyof Transaction)[];
const columns = [...texts, ...numbers, ...flags];

/** The row as it comes, each field a column, with its moment and its signed dollars (in units of 10^-8) as numbers to compare by. */
const schema = `CREATE TABLE IF NOT EXISTS rows(no INTEGER PRIMARY KEY, time INTEGER NOT NULL, usd INTEGER,
  ${texts.map((name) => `${name} TEXT`).join(', ')}, ${[...numbers, ...flags].map((name) => `${name} INTEGER NOT NULL`).join(', ')});`;

/** What a product keeps for lists that are filtered by any field: each field one picks values of with the date, and what is sorted by most. */
const indexes = `
  CREATE INDEX by_time ON rows(time, id);
  CREATE INDEX by_account ON rows(account_id, time);
  CREATE INDEX by_entity ON rows(entity_id, time);
  CREATE INDEX by_type ON rows(trx_type_id, time, usd);
  CREATE INDEX by_security ON rows(security_id, time);
  CREATE INDEX by_dollars ON rows(entity_id, usd DESC, time DESC);`;

/**
 * SQLite on the origin private file system (the `opfs-sahpool` VFS, the fastest of its kinds), a column for each field of a row, and for
 * each question the index that answers it fastest by INDEXED BY. Indexes are made after the last page, which is faster than keeping them up.
 */
export class SqliteEngine implements Engine<readonly number[]> {
  private store: Opened | null = null;
  private readonly statements = new Map<string, PreparedStatement>();
  private next = 1;

  async open(): Promise<void> {
    const sqlite3 = await sqlite3InitModule();
    const pool: SAHPoolUtil = await sqlite3.installOpfsSAHPoolVfs({ name: 'opfs-sahpool' });
    const database = new pool.OpfsSAHPoolDb('/bench.sqlite');
    this.store = { database, memory: () => sqlite3.wasm.heap8u() };
    // Exclusive: nobody else has the file, so its locks and its cache need no second look. Like IndexedDB it does not wait
    // for the disk, only for the system; write-ahead logging was slower.
    this.opened.exec(`PRAGMA page_size=8192; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF; PRAGMA journal_mode=TRUNCATE;
      PRAGMA cache_size=-${cacheKib}; PRAGMA temp_store=MEMORY; ${schema}`);
    this.next = Number(this.opened.selectValue('SELECT coalesce(max(no), 0) + 1 FROM rows'));
  }

  add(page: readonly Transaction[]): void {
    const names = ['no', 'time', 'usd', ...columns];
    const insert = this.prepared(`INSERT INTO rows(${names}) VALUES (${names.map(() => '?')})`);
    this.opened.transaction(() => {
      for (const row of page) {
        const signed = signedAmount(row.usd_value, row.trx_type_id);
        const values = [...[...texts, ...numbers].map((name) => row[name]), ...flags.map((flag) => Number(row[flag]))];
        insert.bind([this.next++, Date.parse(row.trx_date), signed === null ? null : unitsOf(signed), ...values]).stepReset();
      }
    });
  }

  finishAdding(): void {
    this.opened.exec(`${indexes} PRAGMA optimize;`);
  }

  async newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }> {
    const count = counted ? Number(this.opened.selectValue('SELECT count(*) FROM rows')) : null;
    const keys = this.numbers(`SELECT no FROM rows INDEXED BY by_time ORDER BY time DESC, id DESC LIMIT ${windowRows}`);
    return { count, rows: this.rowsOf(keys) };
  }

  find(question: RowQuestion): Found<readonly number[]> {
    switch (question.name) {
      case 'q1':
        return this.narrow(question);
      case 'q1w':
        return this.wide(question);
      case 'q2': {
        const where = `FROM rows INDEXED BY by_dollars WHERE entity_id = '${question.entity_id}'`;
        return {
          count: this.count(where),
          keys: this.numbers(`SELECT no ${where} ORDER BY usd DESC, time DESC, id DESC LIMIT ${windowRows}`),
        };
      }
      case 'q3':
        // The text is of letters, digits and spaces.
        return this.counted(
          `SELECT no, time, id FROM rows NOT INDEXED WHERE tx_hash LIKE '%${question.text}%' OR description LIKE '%${question.text}%'`,
        );
    }
  }

  sum({ from, to }: SumQuestion): TypeSum[] {
    const types = Array.from({ length: 29 }, (_, index) => index + 1);
    // Whole dollars and the rest apart: one sum of both would not fit 64 bits.
    const rows = this.opened.selectArrays(`SELECT trx_type_id, count(*), sum(usd / 100000000), sum(usd % 100000000)
      FROM rows INDEXED BY by_type WHERE trx_type_id IN (${types}) AND time BETWEEN ${from} AND ${to} GROUP BY trx_type_id`);
    return rows.map(([type, count, whole, rest]) => ({
      type: Number(type),
      count: Number(count),
      usd: unitsText(BigInt(whole as number) * 100_000_000n + BigInt(rest as number)),
    }));
  }

  rowsOf(keys: readonly number[]): Transaction[] {
    const statement = this.prepared(`SELECT ${columns} FROM rows WHERE no = ?`);
    return keys.map((no) => {
      statement.bind(no).step();
      const row = statement.get({}) as Record<string, unknown>;
      statement.reset();
      return { ...row, ...Object.fromEntries(flags.map((flag) => [flag, row[flag] === 1])) } as unknown as Transaction;
    });
  }

  wasmBytes(): number {
    return this.store?.memory().byteLength ?? 0;
  }

  private narrow(question: FilterQuestion): Found<readonly number[]> {
    return this.counted(`SELECT no, time, id FROM rows INDEXED BY by_account WHERE ${conditionOf(question)}`);
  }

  private wide(question: FilterQuestion): Found<readonly number[]> {
    const where = `FROM rows INDEXED BY by_time WHERE ${conditionOf(question)}`;
    return { count: this.count(where), keys: this.numbers(`SELECT no ${where} ORDER BY time DESC, id DESC LIMIT ${windowRows}`) };
  }

  /** For questions that match little: the matched rows are found once, then counted and sorted. */
  private counted(matched: string): Found<readonly number[]> {
    const rows = this.opened.selectArrays(`WITH matched AS MATERIALIZED (${matched})
      SELECT no, (SELECT count(*) FROM matched) FROM matched ORDER BY time DESC, id DESC LIMIT ${windowRows}`);
    return { count: Number(rows[0]?.[1] ?? 0), keys: rows.map(([no]) => Number(no)) };
  }

  private count(where: string): number {
    return Number(this.opened.selectValue(`SELECT count(*) ${where}`));
  }

  private numbers(sql: string): number[] {
    return this.opened.selectArrays(sql).map(([no]) => Number(no));
  }

  private prepared(sql: string): PreparedStatement {
    const statement = this.statements.get(sql) ?? this.opened.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  private get opened(): Database {
    if (!this.store) throw new Error('The database is not open');
    return this.store.database;
  }
}

function conditionOf({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): string {
  const accounts = account_ids.map((id) => `'${id}'`).join();
  return `account_id IN (${accounts}) AND trx_type_id IN (${type_ids}) AND time BETWEEN ${from} AND ${to} AND ${flag} = ${Number(isSet)}`;
}
