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

const schema = `
  CREATE TABLE IF NOT EXISTS names(no INTEGER PRIMARY KEY, id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS bodies(no INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS rows(no INTEGER PRIMARY KEY, id BLOB NOT NULL, account INTEGER NOT NULL, entity INTEGER NOT NULL,
    type INTEGER NOT NULL, time INTEGER NOT NULL, flags INTEGER NOT NULL, usd INTEGER, search TEXT NOT NULL);`;

/** One index for each question, with all that the question looks at in it, so that the rows themselves are not read. */
const indexes = `
  CREATE INDEX narrow ON rows(account, type, time, flags, id);
  CREATE INDEX wide ON rows(time, type, account, flags);
  CREATE INDEX dollars ON rows(entity, usd DESC, time DESC);
  CREATE INDEX sums ON rows(type, time, usd);`;

/**
 * SQLite on the origin private file system (the `opfs-sahpool` VFS, the fastest of its kinds). Ids of accounts and entities are numbered,
 * dollars are whole numbers of 10^-8, types are tested as bits of a mask, and the row itself is one JSON text in a table of its own, so
 * that scanning reads none of it. Indexes are made after the last page, which is faster than keeping them up.
 */
export class SqliteEngine implements Engine<readonly number[]> {
  private store: Opened | null = null;
  private readonly names = new Map<string, number>();
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
    for (const [no, id] of this.opened.selectArrays('SELECT no, id FROM names')) this.names.set(String(id), Number(no));
    this.next = Number(this.opened.selectValue('SELECT coalesce(max(no), 0) + 1 FROM rows'));
  }

  add(page: readonly Transaction[]): void {
    const row = this.prepared('INSERT INTO rows VALUES (?,?,?,?,?,?,?,?,?)');
    const body = this.prepared('INSERT INTO bodies VALUES (?,?)');
    this.opened.transaction(() => {
      for (const each of page) {
        const signed = signedAmount(each.usd_value, each.trx_type_id);
        const [account, entity] = [this.numberOf(each.account_id), this.numberOf(each.entity_id)];
        row.bind([
          this.next,
          bytesOf(each.id),
          account,
          entity,
          each.trx_type_id,
          Date.parse(each.trx_date),
          flags.reduce((bits, flag, bit) => bits | (Number(each[flag]) << bit), 0),
          signed === null ? null : unitsOf(signed),
          `${each.tx_hash?.toLowerCase() ?? ''}\n${each.description?.toLowerCase() ?? ''}`,
        ]);
        row.stepReset();
        body.bind([this.next++, JSON.stringify(each)]).stepReset();
      }
    });
  }

  finishAdding(): void {
    this.opened.exec(`${indexes} PRAGMA optimize;`);
  }

  async newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }> {
    const count = counted ? Number(this.opened.selectValue('SELECT count(*) FROM rows')) : null;
    const keys = this.numbers(`SELECT no FROM rows INDEXED BY wide ORDER BY time DESC, id DESC LIMIT ${windowRows}`);
    return { count, rows: this.rowsOf(keys) };
  }

  find(question: RowQuestion): Found<readonly number[]> {
    switch (question.name) {
      case 'q1':
        return this.narrow(question);
      case 'q1w':
        return this.wide(question);
      case 'q2': {
        const where = `FROM rows INDEXED BY dollars WHERE entity = ${this.numberOf(question.entity_id)}`;
        return {
          count: this.count(where),
          keys: this.numbers(`SELECT no ${where} ORDER BY usd DESC, time DESC, id DESC LIMIT ${windowRows}`),
        };
      }
      case 'q3':
        // The text is of letters, digits and spaces.
        return this.counted(`SELECT no, time, id FROM rows NOT INDEXED WHERE instr(search, '${question.text}')`);
    }
  }

  sum({ from, to }: SumQuestion): TypeSum[] {
    const types = Array.from({ length: 29 }, (_, index) => index + 1);
    // Whole dollars and the rest apart: one sum of both would not fit 64 bits.
    const rows = this.opened.selectArrays(`SELECT type, count(*), sum(usd / 100000000), sum(usd % 100000000)
      FROM rows INDEXED BY sums WHERE type IN (${types}) AND time BETWEEN ${from} AND ${to} GROUP BY type`);
    return rows.map(([type, count, whole, rest]) => ({
      type: Number(type),
      count: Number(count),
      usd: unitsText(BigInt(whole as number) * 100_000_000n + BigInt(rest as number)),
    }));
  }

  rowsOf(keys: readonly number[]): Transaction[] {
    const statement = this.prepared('SELECT body FROM bodies WHERE no = ?');
    return keys.map((no) => {
      statement.bind(no).step();
      const row = JSON.parse(statement.getString(0) ?? '') as Transaction;
      statement.reset();
      return row;
    });
  }

  wasmBytes(): number {
    return this.store?.memory().byteLength ?? 0;
  }

  private narrow({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): Found<readonly number[]> {
    return this.counted(`SELECT no, time, id FROM rows INDEXED BY narrow WHERE account IN (${account_ids.map((id) => this.numberOf(id))})
      AND type IN (${type_ids}) AND time BETWEEN ${from} AND ${to} AND (flags >> ${flags.indexOf(flag)}) & 1 = ${Number(isSet)}`);
  }

  private wide({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): Found<readonly number[]> {
    const mask = type_ids.reduce((bits, type) => bits | (1 << type), 0);
    const where = `FROM rows INDEXED BY wide WHERE time BETWEEN ${from} AND ${to} AND (flags >> ${flags.indexOf(flag)}) & 1 = ${Number(isSet)}
      AND (${mask} >> type) & 1 AND account IN (${account_ids.map((id) => this.numberOf(id))})`;
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

  private numberOf(id: string): number {
    const known = this.names.get(id);
    if (known !== undefined) return known;
    const no = this.names.size + 1;
    this.names.set(id, no);
    this.prepared('INSERT INTO names VALUES (?,?)').bind([no, id]).stepReset();
    return no;
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

function bytesOf(uuid: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let at = 0;
  for (let i = 0; i < 36; i++) {
    const unit = uuid.charCodeAt(i);
    if (unit === 45) continue;
    const digit = unit < 58 ? unit - 48 : unit - 87;
    bytes[at >>> 1] = ((bytes[at >>> 1] as number) << 4) | digit;
    at++;
  }
  return bytes;
}
