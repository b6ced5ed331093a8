import type { Transaction } from '../../../src/contract/transactions.ts';
import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import { type FilterQuestion, type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { Engine, Found, TypeSum } from './engine.ts';

/** A row with the texts and numbers that the questions look at made once. */
interface Kept {
  readonly row: Transaction;
  readonly time: number;
  readonly usd: number | null;
  readonly hash: string;
  readonly description: string;
}

/**
 * An array of plain objects, newest first. Times are parsed, dollars are floats and texts lower-cased beforehand, equal ids are one string,
 * and a range of days is found by a binary search: as fast as objects get without becoming columns.
 */
export class ObjectsEngine implements Engine<readonly Kept[]> {
  private kept: Kept[] = [];
  private readonly ids = new Map<string, string>();

  async open(): Promise<void> {}

  add(page: readonly Transaction[]): void {
    for (const row of page) {
      const signed = signedAmount(row.usd_value, row.trx_type_id);
      this.kept.push({
        row: { ...row, account_id: this.shared(row.account_id), entity_id: this.shared(row.entity_id) },
        time: Date.parse(row.trx_date),
        usd: signed === null ? null : Number(signed),
        hash: row.tx_hash?.toLowerCase() ?? '',
        description: row.description?.toLowerCase() ?? '',
      });
    }
  }

  finishAdding(): void {
    this.kept.sort(byNewest);
  }

  async newest(): Promise<{ count: number; rows: Transaction[] }> {
    return { count: this.kept.length, rows: this.kept.slice(0, windowRows).map(({ row }) => row) };
  }

  find(question: RowQuestion): Found<readonly Kept[]> {
    switch (question.name) {
      case 'q1':
      case 'q1w':
        return this.filter(question);
      case 'q2': {
        const entity = this.shared(question.entity_id);
        return bestByDollars(this.kept.filter(({ row }) => row.entity_id === entity));
      }
      case 'q3': {
        const { text } = question;
        return firstOf(this.kept.filter(({ hash, description }) => hash.includes(text) || description.includes(text)));
      }
    }
  }

  sum({ from, to }: SumQuestion): TypeSum[] {
    const { kept } = this;
    const counts = new Uint32Array(256);
    const sums = new Float64Array(256);
    const end = this.firstBefore(from);
    for (let i = this.firstBefore(to + 1); i < end; i++) {
      const { row, usd } = kept[i] as Kept;
      counts[row.trx_type_id] = (counts[row.trx_type_id] as number) + 1;
      sums[row.trx_type_id] = (sums[row.trx_type_id] as number) + (usd ?? 0);
    }
    return Array.from(counts).flatMap((count, type) => (count === 0 ? [] : [{ type, count, usd: sums[type] as number }]));
  }

  rowsOf(keys: readonly Kept[]): Transaction[] {
    return keys.map(({ row }) => row);
  }

  private filter({ account_ids, type_ids, from, to, flag, isSet }: FilterQuestion): Found<readonly Kept[]> {
    const accounts = new Set(account_ids.map((id) => this.shared(id)));
    const isWanted = new Uint8Array(256);
    for (const type of type_ids) isWanted[type] = 1;
    const { kept } = this;
    const keys: Kept[] = [];
    let count = 0;
    const end = this.firstBefore(from);
    for (let i = this.firstBefore(to + 1); i < end; i++) {
      const each = kept[i] as Kept;
      const { row } = each;
      if (row[flag] !== isSet || !isWanted[row.trx_type_id] || !accounts.has(row.account_id)) continue;
      if (count++ < windowRows) keys.push(each);
    }
    return { count, keys };
  }

  /** The first row with a time before `time`. */
  private firstBefore(time: number): number {
    let low = 0;
    let high = this.kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.kept[middle] as Kept).time < time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private shared(id: string): string {
    const known = this.ids.get(id);
    if (known === undefined) this.ids.set(id, id);
    return known ?? id;
  }
}

function firstOf(matched: readonly Kept[]): Found<readonly Kept[]> {
  return { count: matched.length, keys: matched.slice(0, windowRows) };
}

/** The best rows are found in one pass, not by sorting all: most rows lose against the worst of the best so far. */
function bestByDollars(matched: readonly Kept[]): Found<readonly Kept[]> {
  const best: Kept[] = [];
  for (const each of matched) {
    const last = best[windowRows - 1];
    if (last && byDollars(last, each) < 0) continue;
    let at = best.length;
    while (at > 0 && byDollars(best[at - 1] as Kept, each) > 0) at--;
    best.splice(at, 0, each);
    if (best.length > windowRows) best.pop();
  }
  return { count: matched.length, keys: best };
}

function byNewest(a: Kept, b: Kept): number {
  return b.time - a.time || (a.row.id < b.row.id ? 1 : -1);
}

function byDollars(a: Kept, b: Kept): number {
  if (a.usd === b.usd) return byNewest(a, b);
  if (a.usd === null || b.usd === null) return a.usd === null ? 1 : -1;
  return b.usd - a.usd;
}
