import { Ledger, ledgerFrom, ledgerTo } from './ledger.ts';
import { Random } from './random.ts';

export const flags = ['manual_trx', 'updated_trx', 'unpriced_trx', 'is_unidentified'] as const;
export type Flag = (typeof flags)[number];

/** Rows of some accounts, types and days (both ends included) with a flag set or not: their number and the newest 50. */
export interface FilterQuestion {
  readonly name: 'q1' | 'q1w';
  readonly account_ids: readonly string[];
  readonly type_ids: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly flag: Flag;
  readonly isSet: boolean;
}
/** Rows of an entity: their number and the first 50 by signed dollars, largest first, those without any last. */
export interface SortQuestion {
  readonly name: 'q2';
  readonly entity_id: string;
}
/** Rows with a text in hash or description, whatever the case (given in lower case): their number and the newest 50. */
export interface SearchQuestion {
  readonly name: 'q3';
  readonly text: string;
}
/** Number and sum of signed dollars per type between two moments, both included. */
export interface SumQuestion {
  readonly name: 'q4';
  readonly from: number;
  readonly to: number;
}
export type RowQuestion = FilterQuestion | SortQuestion | SearchQuestion;
export type Question = RowQuestion | SumQuestion;
export const questionNames = ['q1', 'q1w', 'q2', 'q3', 'q4'] as const;
export type QuestionName = (typeof questionNames)[number];

/** How many rows a question asks for. */
export const windowRows = 50;

const day = 86_400_000;
/** A tax year and the one before, in days. */
const twoYears = 730;
const types = Array.from({ length: 29 }, (_, index) => index + 1);
const frequentTypes = [1, 2, 3, 4, 5, 8, 15, 19, 22, 24, 28];

/** The questions of a seed: `count` of each kind, no two neighbours alike, the same for every engine. */
export function questionsOf(seed: number, ledger: Ledger, count: number): Record<QuestionName, Question[]> {
  const random = new Random(seed, 2);
  const of = (make: () => Question): Question[] => {
    const made: Question[] = [];
    while (made.length < count) {
      const next = make();
      if (JSON.stringify(next) !== JSON.stringify(made.at(-1))) made.push(next);
    }
    return made;
  };
  return {
    q1: of(() => narrow(random, ledger)),
    q1w: of(() => wide(random, ledger)),
    q2: of(() => ({ name: 'q2', entity_id: random.pick(ledger.world.entities) })),
    q3: of(() => ({ name: 'q3', text: textOf(random, ledger) })),
    q4: of(() => ({ name: 'q4', ...mostDays(random) })),
  };
}

function narrow(random: Random, { world }: Ledger): FilterQuestion {
  const wanted = 10 + random.below(6);
  const account_ids = new Set<string>();
  while (account_ids.size < wanted) account_ids.add((world.accounts[world.accountWheel.spin(random)] as { id: string }).id);
  const from = ledgerFrom + random.below((ledgerTo - ledgerFrom) / day - twoYears) * day;
  const to = from + twoYears * day - 1;
  const type_ids = random.sample(frequentTypes, 4);
  return { name: 'q1', account_ids: [...account_ids], type_ids, from, to, flag: random.pick(flags), isSet: random.chance(0.5) };
}

function wide(random: Random, { world }: Ledger): FilterQuestion {
  const accounts = world.accounts.map(({ id }) => id);
  const account_ids = random.sample(accounts, Math.round(accounts.length * (0.55 + random.unit() * 0.1)));
  const type_ids = random.sample(types, 19 + random.below(3));
  return { name: 'q1w', account_ids, type_ids, ...mostDays(random), flag: random.pick(flags), isSet: false };
}

/** A range of about four fifths of the ledger's days. */
function mostDays(random: Random): { from: number; to: number } {
  const days = Math.round((ledgerTo - ledgerFrom) / day);
  const length = Math.round(days * (0.75 + random.unit() * 0.1));
  const from = ledgerFrom + random.below(days - length) * day;
  return { from, to: from + length * day - 1 };
}

/** 6 to 8 characters of the hash or the description of some row of the ledger. */
function textOf(random: Random, ledger: Ledger): string {
  const wanted = random.chance(0.5) ? 'tx_hash' : 'description';
  const length = 6 + random.below(3);
  for (;;) {
    const text = random.pick(ledger.page(random.below(ledger.pages)))[wanted]?.toLowerCase() ?? '';
    if (text.length < length + 2) continue;
    const at = 2 + random.below(text.length - length - 1);
    const part = text.slice(at, at + length);
    if (part.trim().length === length) return part;
  }
}
