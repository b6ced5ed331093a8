import { signedAmount } from '../../../src/replica/transaction-columns.ts';
import type { Transaction } from '../../../src/contract/transactions.ts';
import type { TypeSum } from '../engines/engine.ts';
import type { Ledger } from './ledger.ts';
import { type Question, type RowQuestion, type SumQuestion, windowRows } from './questions.ts';

/** The answer to a question about rows, or to one about sums. */
export type Answer =
  | { readonly kind: 'rows'; readonly count: number; readonly rows: readonly Transaction[] }
  | { readonly kind: 'sums'; readonly sums: readonly TypeSum[] };

/** Sums are whole numbers of 10^-8 dollars: no row of the ledger has more decimals. */
const usdScale = 8;

/** A row with what the questions look at made ready once for all of them. */
interface Seen {
  readonly row: Transaction;
  readonly time: number;
  /** Signed dollars in units of 10^-8. */
  readonly usd: bigint | null;
  readonly hash: string;
  readonly description: string;
}

/** Answers questions in the plainest way there is, over every row as it is drawn: what all engines must agree with. */
export function answersOf(ledger: Ledger, questions: readonly Question[]): Answer[] {
  const askers = questions.map((question) => (question.name === 'q4' ? new Sums(question) : new Rows(question)));
  for (let page = 0; page < ledger.pages; page++) {
    for (const row of ledger.page(page)) {
      const signed = signedAmount(row.usd_value, row.trx_type_id);
      const seen: Seen = {
        row,
        time: Date.parse(row.trx_date),
        usd: signed === null ? null : unitsOf(signed),
        hash: row.tx_hash?.toLowerCase() ?? '',
        description: row.description?.toLowerCase() ?? '',
      };
      for (const asker of askers) asker.see(seen);
    }
  }
  return askers.map((asker) => asker.answer());
}

/** A decimal text in units of 10^-8. */
export function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const units = BigInt(whole.replace('-', '') + fraction.padEnd(usdScale, '0'));
  return whole.startsWith('-') ? -units : units;
}

/** Units of 10^-8 as a decimal text. */
export function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(usdScale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -usdScale)}.${digits.slice(-usdScale)}`;
}

class Rows {
  private readonly matches: (seen: Seen) => boolean;
  private readonly compare: (a: Seen, b: Seen) => number;
  private readonly best: Seen[] = [];
  private count = 0;

  constructor(question: RowQuestion) {
    this.matches = matcherOf(question);
    this.compare = question.name === 'q2' ? byDollars : byNewest;
  }

  see(seen: Seen): void {
    if (!this.matches(seen)) return;
    this.count++;
    const { best } = this;
    const last = best.at(-1);
    if (best.length === windowRows && last && this.compare(last, seen) < 0) return;
    best.push(seen);
    best.sort(this.compare);
    if (best.length > windowRows) best.pop();
  }

  answer(): Answer {
    return { kind: 'rows', count: this.count, rows: this.best.map(({ row }) => row) };
  }
}

class Sums {
  private readonly question: SumQuestion;
  private readonly sums = new Map<number, { count: number; usd: bigint }>();

  constructor(question: SumQuestion) {
    this.question = question;
  }

  see({ row, time, usd }: Seen): void {
    if (time < this.question.from || time > this.question.to) return;
    const sum = this.sums.get(row.trx_type_id) ?? { count: 0, usd: 0n };
    sum.count++;
    sum.usd += usd ?? 0n;
    this.sums.set(row.trx_type_id, sum);
  }

  answer(): Answer {
    return { kind: 'sums', sums: Array.from(this.sums, ([type, { count, usd }]) => ({ type, count, usd: textOf(usd) })) };
  }
}

function matcherOf(question: RowQuestion): (seen: Seen) => boolean {
  switch (question.name) {
    case 'q1':
    case 'q1w': {
      const [accounts, types] = [new Set(question.account_ids), new Set(question.type_ids)];
      return ({ row, time }) =>
        time >= question.from &&
        time <= question.to &&
        row[question.flag] === question.isSet &&
        types.has(row.trx_type_id) &&
        accounts.has(row.account_id);
    }
    case 'q2':
      return ({ row }) => row.entity_id === question.entity_id;
    case 'q3':
      return ({ hash, description }) => hash.includes(question.text) || description.includes(question.text);
  }
}

function byNewest(a: Seen, b: Seen): number {
  return b.time - a.time || (a.row.id < b.row.id ? 1 : -1);
}

function byDollars(a: Seen, b: Seen): number {
  if (a.usd === b.usd) return byNewest(a, b);
  if (a.usd === null || b.usd === null) return a.usd === null ? 1 : -1;
  return a.usd < b.usd ? 1 : -1;
}
