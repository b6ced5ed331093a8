import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url';
import { Bool, Int64, Table, tableToIPC, Uint8, Utf8, vectorFromArray } from 'apache-arrow';
import {
  BROWSER_RUNTIME,
  createDuckDB,
  DuckDBAccessMode,
  type DuckDBBindings,
  type DuckDBConnection,
  DuckDBDataProtocol,
  VoidLogger,
} from 'duckdb-blocking';
import type { Transaction } from '../../../src/contract/transactions.ts';
import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import { textOf as unitsText, unitsOf } from '../workload/oracle.ts';
import { type FilterQuestion, flags, type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { Engine, Found, TypeSum } from './engine.ts';

interface Opened {
  readonly bindings: DuckDBBindings;
  readonly connection: DuckDBConnection;
}

const path = 'opfs://bench.duckdb';

/**
 * DuckDB's own blocking bindings (the exception-handling build) inside our worker, so that no message lies between question and answer, on a
 * file of the origin private file system. Ids are texts as they come, dollars are whole numbers of 10^-8, the row itself is a
 * column of JSON text that only reading rows touches. Rows lie newest first, so that ranges of days skip row groups.
 */
export class DuckdbEngine implements Engine<readonly number[]> {
  private opened: Opened | null = null;

  async open(): Promise<void> {
    const bundles = { mvp: { mainModule: wasmUrl, mainWorker: '' }, eh: { mainModule: wasmUrl, mainWorker: '' } };
    const bindings = await createDuckDB(bundles, new VoidLogger(), BROWSER_RUNTIME);
    await bindings.instantiate(() => {});
    await bindings.prepareDBFileHandle(path, DuckDBDataProtocol.BROWSER_FSACCESS);
    bindings.open({ path, accessMode: DuckDBAccessMode.READ_WRITE, useDirectIO: true });
    this.opened = { bindings, connection: bindings.connect() };
    this.run(`CREATE TABLE IF NOT EXISTS ledger(id VARCHAR, account VARCHAR, entity VARCHAR, type UTINYINT, time BIGINT, usd BIGINT,
      ${flags.map((flag) => `${flag} BOOLEAN`).join(', ')}, hash VARCHAR, description VARCHAR,
      body VARCHAR USING COMPRESSION uncompressed)`);
  }

  add(page: readonly Transaction[]): void {
    const texts = (values: (string | null)[]) => vectorFromArray(values, new Utf8());
    const table = new Table({
      id: texts(page.map(({ id }) => id)),
      account: texts(page.map((row) => row.account_id)),
      entity: texts(page.map((row) => row.entity_id)),
      type: vectorFromArray(
        page.map((row) => row.trx_type_id),
        new Uint8(),
      ),
      time: vectorFromArray(
        page.map((row) => BigInt(Date.parse(row.trx_date))),
        new Int64(),
      ),
      usd: vectorFromArray(page.map(unitsOrNull), new Int64()),
      ...Object.fromEntries(
        flags.map((flag) => [
          flag,
          vectorFromArray(
            page.map((row) => row[flag]),
            new Bool(),
          ),
        ]),
      ),
      hash: texts(page.map((row) => row.tx_hash)),
      description: texts(page.map((row) => row.description?.toLowerCase() ?? null)),
      body: texts(page.map((row) => JSON.stringify(row))),
    });
    this.database.connection.insertArrowFromIPCStream(tableToIPC(table, 'stream'), { name: 'ledger', create: false });
  }

  finishAdding(): void {
    this.run('CHECKPOINT');
  }

  async newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }> {
    const count = counted ? Number(this.run('SELECT count(*) AS count FROM ledger')[0]?.count) : null;
    return { count, rows: this.rowsOf(this.keys('', 'time DESC, id DESC')) };
  }

  find(question: RowQuestion): Found<readonly number[]> {
    switch (question.name) {
      case 'q1':
        return this.foundOnce(this.whereOf(question), 'time DESC, id DESC');
      case 'q1w':
        return this.found(this.whereOf(question), 'time DESC, id DESC');
      case 'q2':
        return this.foundOnce(`WHERE entity = '${question.entity_id}'`, 'usd DESC NULLS LAST, time DESC, id DESC');
      case 'q3':
        // The text is of letters, digits and spaces.
        return this.foundOnce(
          `WHERE contains(hash, '${question.text}') OR contains(description, '${question.text}')`,
          'time DESC, id DESC',
        );
    }
  }

  sum({ from, to }: SumQuestion): TypeSum[] {
    const rows = this.run(`SELECT type, count(*) AS count, CAST(sum(usd) AS VARCHAR) AS usd FROM ledger
      WHERE time BETWEEN ${from} AND ${to} GROUP BY type`);
    return rows.map(({ type, count, usd }) => ({ type: Number(type), count: Number(count), usd: unitsText(BigInt(usd as string)) }));
  }

  rowsOf(keys: readonly number[]): Transaction[] {
    return keys.map((key) => {
      const [found] = this.run(`SELECT body FROM ledger WHERE rowid = ${key}`);
      return JSON.parse(found?.body as string) as Transaction;
    });
  }

  wasmBytes(): number {
    const { mod } = this.database.bindings as unknown as { mod: { HEAPU8: Uint8Array } };
    return mod.HEAPU8.byteLength;
  }

  /** For questions that match little: the matched rows are found once, then counted and sorted; up to three times faster than asking twice. */
  private foundOnce(where: string, order: string): Found<readonly number[]> {
    const rows = this.run(`WITH matched AS MATERIALIZED (SELECT rowid AS key, id, time, usd FROM ledger ${where})
      SELECT key, (SELECT count(*) FROM matched) AS count FROM matched ORDER BY ${order} LIMIT ${windowRows}`);
    return { count: Number(rows[0]?.count ?? 0), keys: rows.map(({ key }) => Number(key)) };
  }

  /** For questions that match much: most matched rows need only be counted. */
  private found(where: string, order: string): Found<readonly number[]> {
    const [counted] = this.run(`SELECT count(*) AS count FROM ledger ${where}`);
    return { count: Number(counted?.count), keys: this.keys(where, order) };
  }

  private keys(where: string, order: string): number[] {
    return this.run(`SELECT rowid AS key FROM ledger ${where} ORDER BY ${order} LIMIT ${windowRows}`).map(({ key }) => Number(key));
  }

  private whereOf({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): string {
    const accounts = account_ids.map((id) => `'${id}'`);
    return `WHERE time BETWEEN ${from} AND ${to} AND ${flag} = ${isSet} AND type IN (${type_ids}) AND account IN (${accounts})`;
  }

  private run(sql: string): Record<string, unknown>[] {
    return this.database.connection.query(sql).toArray() as Record<string, unknown>[];
  }

  private get database(): Opened {
    if (!this.opened) throw new Error('The database is not open');
    return this.opened;
  }
}

function unitsOrNull({ usd_value, trx_type_id }: Transaction): bigint | null {
  const signed = signedAmount(usd_value, trx_type_id);
  return signed === null ? null : unitsOf(signed);
}
