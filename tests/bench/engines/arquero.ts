import { desc, table } from 'arquero';
import type { Transaction } from '../../../src/contract/transactions.ts';
import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import { type FilterQuestion, flags, type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { Engine, Found, TypeSum } from './engine.ts';

type ColumnTable = ReturnType<typeof table>;

/**
 * Arquero's columns as typed arrays where they hold numbers, sorted newest first once, accounts and entities numbered, texts lower-cased
 * beforehand. Expressions are texts with parameters, which it compiles (several times faster than closures). Dollars are floats.
 */
export class ArqueroEngine implements Engine<readonly number[]> {
  private rows: Transaction[] = [];
  private columns: ColumnTable = table({});
  private readonly numbers = new Map<string, number>();

  async open(): Promise<void> {}

  add(page: readonly Transaction[]): void {
    this.rows.push(...page);
  }

  finishAdding(): void {
    const { rows } = this;
    rows.sort((a, b) => (a.trx_date === b.trx_date ? (a.id < b.id ? 1 : -1) : a.trx_date < b.trx_date ? 1 : -1));
    const signed = rows.map((row) => signedAmount(row.usd_value, row.trx_type_id));
    const wholes = Object.keys(rows[0] ?? {}) as (keyof Transaction)[];
    this.columns = table({
      ...Object.fromEntries(wholes.map((name) => [name, rows.map((row) => row[name])])),
      time: Float64Array.from(rows, (row) => Date.parse(row.trx_date)),
      account: Int32Array.from(rows, (row) => this.numberOf(row.account_id)),
      entity: Int32Array.from(rows, (row) => this.numberOf(row.entity_id)),
      type: Uint8Array.from(rows, (row) => row.trx_type_id),
      ...Object.fromEntries(flags.map((flag) => [`has_${flag}`, Uint8Array.from(rows, (row) => Number(row[flag]))])),
      rank: Float64Array.from(signed, (usd) => (usd === null ? -Infinity : Number(usd))),
      usd: Float64Array.from(signed, (usd) => Number(usd ?? 0)),
      hash: rows.map((row) => row.tx_hash?.toLowerCase() ?? ''),
      words: rows.map((row) => row.description?.toLowerCase() ?? ''),
    });
    this.rows = [];
  }

  async newest(): Promise<{ count: number; rows: Transaction[] }> {
    const { count, keys } = firstOf(this.columns);
    return { count, rows: this.rowsOf(keys) };
  }

  find(question: RowQuestion): Found<readonly number[]> {
    switch (question.name) {
      case 'q1':
      case 'q1w':
        return firstOf(this.filter(question));
      case 'q2': {
        const wanted = this.columns.params({ entity: this.numberOf(question.entity_id) }).filter('(d, $) => d.entity === $.entity');
        return firstOf(wanted.orderby(desc('rank')));
      }
      case 'q3': {
        const found = '(d, $) => op.includes(d.hash, $.text) || op.includes(d.words, $.text)';
        return firstOf(this.columns.params({ text: question.text }).filter(found));
      }
    }
  }

  sum({ from, to }: SumQuestion): TypeSum[] {
    const sums = this.columns
      .params({ from, to })
      .filter('(d, $) => d.time >= $.from && d.time <= $.to')
      .groupby('type')
      .rollup({ count: 'op.count()', usd: 'd => op.sum(d.usd)' });
    return sums.objects() as TypeSum[];
  }

  rowsOf(keys: readonly number[]): Transaction[] {
    const wholes = this.columns.columnNames().slice(0, this.columns.columnNames().indexOf('time'));
    return keys.map((key) => Object.fromEntries(wholes.map((name) => [name, this.columns.column(name)?.at(key)])) as Transaction);
  }

  private filter({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): ColumnTable {
    const accounts = new Uint8Array(this.numbers.size);
    for (const id of account_ids) accounts[this.numberOf(id)] = 1;
    const types = new Uint8Array(256);
    for (const type of type_ids) types[type] = 1;
    const test = `d.has_${flag} === $.flag && $.types[d.type] === 1 && $.accounts[d.account] === 1`;
    return this.columns
      .params({ from, to, flag: Number(isSet), types, accounts })
      .filter(`(d, $) => d.time >= $.from && d.time <= $.to && ${test}`);
  }

  private numberOf(id: string): number {
    const known = this.numbers.get(id) ?? this.numbers.size;
    this.numbers.set(id, known);
    return known;
  }
}

/** The number of rows and the first ones: a scan ends as soon as it has them. */
function firstOf(found: ColumnTable): Found<readonly number[]> {
  const keys: number[] = [];
  const scan = (row: number, _columns: unknown, stop: () => void) => {
    if (keys.push(row) === windowRows) stop();
  };
  if (found.numRows() > 0) found.scan(scan as never, true);
  return { count: found.numRows(), keys };
}
