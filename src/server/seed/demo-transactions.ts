import { type TransactionTypeId, transactionTypes } from '#contract/transaction-codes.ts';
import type { Book, MatchRow, TransactionRow } from './book.ts';
import type { Calendar } from './calendar.ts';
import { openStrangers } from './chains.ts';
import type { Holder } from './demo-accounts.ts';
import type { AccountKind, EntityPlan } from './demo-places.ts';
import type { Symbols } from './demo-symbols.ts';
import { openPrices } from './prices.ts';
import { openRandom } from './random.ts';
import { fund, type Single, single, singlesOf, surprise } from './singles.ts';
import { swap, trade } from './trades.ts';
import { transfer } from './transfers.ts';

/** About this many rows are held at once. */
const chunkRows = 2000;

/** Rows ready to be inserted; a match's transactions are in its own chunk. */
export interface Chunk {
  transactions: TransactionRow[];
  matches: MatchRow[];
}

/** An entity and the accounts its story plays in. */
export interface Cast {
  plan: EntityPlan;
  holders: readonly Holder[];
}

/** How much of what happens in an account is a trade, a swap or a transfer; the rest stands alone. */
const habits: Readonly<Record<AccountKind, { trades: number; swaps: number; transfers: number }>> = {
  exchange: { trades: 0.62, swaps: 0, transfers: 0.14 },
  blockchain: { trades: 0, swaps: 0.08, transfers: 0.24 },
  defi: { trades: 0, swaps: 0.5, transfers: 0.08 },
  bank: { trades: 0, swaps: 0, transfers: 0.3 },
  digital: { trades: 0, swaps: 0, transfers: 0.3 },
  liquid: { trades: 0.5, swaps: 0, transfers: 0.1 },
  traditional: { trades: 0.5, swaps: 0, transfers: 0.05 },
  saft: { trades: 0, swaps: 0, transfers: 0 },
};

/** How many of `total` transactions each entity gets: whole numbers in the ratio of the shares that add up to it. */
function quotas(shares: readonly number[], total: number): number[] {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let share = 0;
  let given = 0;
  return shares.map((part) => {
    share += part;
    const upTo = Math.round((total * share) / whole);
    const quota = upTo - given;
    given = upTo;
    return quota;
  });
}

function isOpen({ from, until }: Holder, at: number): boolean {
  return at >= from && at <= until;
}

/** An account something can happen in at a moment, the busier the likelier. */
function pickHolder(book: Book, at: number): Holder {
  const open = book.holders.filter((holder) => isOpen(holder, at));
  let left = book.random.unit() * open.reduce((sum, { weight }) => sum + weight, 0);
  const picked = open.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (!picked) throw new Error('an entity without an open account');
  return picked;
}

/** Lets one thing happen in an account. Writes at least one row and at most `room`. */
function happen(book: Book, holder: Holder, at: number, room: number): void {
  const { random } = book;
  if (book.symbols.unknown.has(holder.custodian) && random.chance(0.02)) return surprise(book, holder, at);
  const { trades, swaps, transfers } = habits[holder.kind];
  const unit = random.unit();
  let done = false;
  if (unit < trades) done = trade(book, holder, at, room);
  else if (unit < trades + swaps) done = swap(book, holder, at, room);
  else if (unit < trades + swaps + transfers) done = transfer(book, holder, at, { room, unidentified: random.chance(0.03) });
  if (!done && !single(book, holder, at, { room })) fund(book, holder, at);
}

/** Something that is to happen sooner or later. */
interface Wish {
  holder: Holder;
  what: Single;
}

/** Each type once, and each kind of account, so that a small demo shows all; trades need no asking for. */
function oneOfEach(holders: readonly Holder[]): Wish[] {
  const all = holders.flatMap((holder) => singlesOf(holder).map((what): Wish => ({ holder, what })));
  // what few accounts know comes first: the last account that knows a type is of the rarest kind
  const ofTypes = (Object.keys(transactionTypes).map(Number) as TransactionTypeId[]).map((id) =>
    all.findLast(({ what }) => what.typeId === id),
  );
  const ofKinds = (Object.keys(habits) as AccountKind[]).map((name) => all.find(({ holder }) => holder.kind === name));
  return [...ofTypes, ...ofKinds].filter((wish) => wish !== undefined);
}

/** Lets the first wish come true if it can at this moment; else it waits behind the others. */
function grant(book: Book, wishes: Wish[], at: number, room: number): boolean {
  const wish = wishes.shift();
  if (!wish) return false;
  if (isOpen(wish.holder, at) && single(book, wish.holder, at, { room, what: wish.what })) return true;
  wishes.push(wish);
  return false;
}

/** Writes one entity's story in the order of time, `count` rows of it, and gives it away a chunk at a time. */
function* story(book: Book, calendar: Calendar, count: number, wishes: Wish[]): Generator<Chunk> {
  while (book.written < count) {
    const at = calendar.momentAt((book.written + book.random.unit()) / count);
    const room = count - book.written;
    if (!book.random.chance(0.25) || !grant(book, wishes, at, room)) happen(book, pickHolder(book, at), at, room);
    if (book.rows.length < chunkRows && book.written < count) continue;
    yield { transactions: book.rows, matches: book.matches };
    book.rows = [];
    book.matches = [];
  }
}

/**
 * Writes the story of every entity, one after the other: however many rows are asked for, only a chunk of them is held.
 * Exactly `total` transactions come out.
 */
export function* openTransactions(
  casts: readonly Cast[],
  symbols: Symbols,
  calendar: Calendar,
  { total, seed }: { total: number; seed: number },
): Generator<Chunk> {
  const prices = openPrices(calendar, seed);
  const strangers = openStrangers(seed);
  const shares = casts.map(({ plan }) => plan.share);
  const counts = quotas(shares, total);
  for (const [order, { plan, holders }] of casts.entries()) {
    const random = openRandom(`${seed}/story/${plan.name}`);
    const book: Book = {
      random,
      prices,
      symbols,
      strangers,
      now: calendar.now,
      holders,
      wealth: plan.wealth,
      holdings: new Map(),
      written: 0,
      rows: [],
      matches: [],
    };
    // the first entity is the busiest: there is room for everything
    yield* story(book, calendar, counts[order] ?? 0, order === 0 ? oneOfEach(holders) : []);
  }
}
