import type { TransactionTypeId } from '#contract/transaction-codes.ts';
import { signOfType } from '#domain/transaction-types.ts';
import { affordable, type Book, held, placesIn, post, usualUsd, worth } from './book.ts';
import { newHash } from './chains.ts';
import type { Holder } from './demo-accounts.ts';
import { type Asset, type Rail, railOf } from './demo-assets.ts';
import type { AccountKind } from './demo-places.ts';
import { partOf } from './exact.ts';
import type { Random } from './random.ts';
import { payGas } from './trades.ts';
import { markNoTransfer } from './transfers.ts';

export interface Single {
  typeId: TransactionTypeId;
  /** How often, against the kind's other singles. */
  weight: number;
  /** Its usual size, as a part of a usual transaction. */
  size: number;
  /** Paid in what the account pays with, where it has such. */
  inQuote?: true;
  descriptions: readonly string[];
}

const deposit = (weight: number, size: number, ...descriptions: string[]): Single => ({ typeId: 1, weight, size, descriptions });
const withdrawal = (weight: number, size: number, ...descriptions: string[]): Single => ({ typeId: 2, weight, size, descriptions });

const onChain: readonly Single[] = [
  deposit(20, 1, 'Payment received', 'OTC settlement'),
  withdrawal(16, 0.7, 'Payment sent', 'Contributor payment'),
  { typeId: 24, weight: 8, size: 0.001, descriptions: ['Contract call', 'Failed transaction', 'Token approval'] },
  { typeId: 28, weight: 4, size: 0.001, descriptions: ['Network fee'] },
  { typeId: 13, weight: 3, size: 0.05, descriptions: ['Airdrop claim'] },
  { typeId: 14, weight: 0.4, size: 0.02, descriptions: ['Fork credit'] },
  { typeId: 19, weight: 12, size: 0.01, descriptions: ['Validator reward', 'Staking reward'] },
  { typeId: 22, weight: 3, size: 0.6, descriptions: ['Stake'] },
  { typeId: 23, weight: 2, size: 0.4, descriptions: ['Unstake'] },
  { typeId: 29, weight: 2, size: 0.02, descriptions: ['Points programme'] },
];

/** What happens in a kind of account by itself: no group, no counterpart. */
const singles: Readonly<Record<AccountKind, readonly Single[]>> = {
  exchange: [
    deposit(22, 3, 'Deposit'),
    withdrawal(14, 1.5, 'Withdrawal'),
    { typeId: 6, weight: 6, size: 0.002, inQuote: true, descriptions: ['Volume rebate'] },
    { typeId: 7, weight: 4, size: 0.002, descriptions: ['Deposit fee'] },
    { typeId: 8, weight: 8, size: 0.002, descriptions: ['Withdrawal fee'] },
    { typeId: 9, weight: 4, size: 0.004, inQuote: true, descriptions: ['Borrow interest'] },
    { typeId: 10, weight: 6, size: 0.005, inQuote: true, descriptions: ['Funding paid'] },
    { typeId: 11, weight: 3, size: 0.01, inQuote: true, descriptions: ['Settlement, loss'] },
    { typeId: 13, weight: 1, size: 0.02, descriptions: ['Token distribution'] },
    { typeId: 15, weight: 8, size: 0.004, inQuote: true, descriptions: ['Earn interest'] },
    { typeId: 16, weight: 6, size: 0.006, inQuote: true, descriptions: ['Funding received'] },
    { typeId: 18, weight: 3, size: 0.015, inQuote: true, descriptions: ['Settlement, gain'] },
    { typeId: 19, weight: 5, size: 0.006, descriptions: ['Staking reward'] },
    { typeId: 20, weight: 5, size: 0.05, inQuote: true, descriptions: ['Open position mark'] },
    { typeId: 24, weight: 1, size: 0.001, inQuote: true, descriptions: ['Data feed'] },
    { typeId: 29, weight: 2, size: 0.003, descriptions: ['Referral reward', 'Learn and earn'] },
  ],
  blockchain: onChain,
  defi: [
    ...onChain,
    { typeId: 15, weight: 16, size: 0.005, descriptions: ['Lending interest'] },
    { typeId: 29, weight: 14, size: 0.01, descriptions: ['Liquidity mining reward', 'Gauge reward'] },
  ],
  bank: [
    deposit(30, 6, 'Capital contribution', 'Incoming wire OUR\\REF', 'Client payment'),
    withdrawal(34, 2, 'Audit fee', 'Legal fees, "Harbor" matter', 'Payroll', 'Outgoing wire', 'Distribution to investors'),
    { typeId: 12, weight: 6, size: 1, descriptions: ['Management fee income', 'Consulting income'] },
    { typeId: 15, weight: 10, size: 0.01, descriptions: ['Credit interest'] },
    { typeId: 24, weight: 14, size: 0.005, descriptions: ['Account fee', 'Wire fee'] },
    { typeId: 9, weight: 2, size: 0.005, descriptions: ['Debit interest'] },
  ],
  digital: [
    { typeId: 25, weight: 10, size: 5, descriptions: ['In-kind subscription, class A', 'In-kind subscription, class B'] },
    { typeId: 26, weight: 6, size: 2, descriptions: ['In-kind redemption'] },
    { typeId: 27, weight: 4, size: 0.01, descriptions: ['Redemption fee'] },
    { typeId: 21, weight: 6, size: 0.003, descriptions: ['Quarterly custody fee'] },
    deposit(5, 2, 'Cold storage deposit'),
    { typeId: 14, weight: 1, size: 0.02, descriptions: ['Fork credit'] },
  ],
  liquid: [
    deposit(8, 3, 'Funding'),
    withdrawal(5, 1, 'Redemption to bank'),
    { typeId: 12, weight: 8, size: 0.02, inQuote: true, descriptions: ['Fund distribution'] },
    { typeId: 21, weight: 2, size: 0.002, inQuote: true, descriptions: ['Custody fee'] },
  ],
  traditional: [
    deposit(5, 4, 'Funding'),
    { typeId: 12, weight: 10, size: 0.02, inQuote: true, descriptions: ['Dividend'] },
    { typeId: 21, weight: 4, size: 0.002, inQuote: true, descriptions: ['Custody fee'] },
    { typeId: 15, weight: 4, size: 0.005, inQuote: true, descriptions: ['Cash interest'] },
  ],
  saft: [
    { typeId: 25, weight: 8, size: 20, descriptions: ['SAFT purchase', 'Follow-on SAFT purchase'] },
    { typeId: 26, weight: 2, size: 5, descriptions: ['Token delivery'] },
    deposit(2, 10, 'SAFT received from affiliate'),
  ],
};

/** Pools pay in coins, all day; a wallet of another chain never sees it. */
const withMining: readonly Single[] = [...onChain, { typeId: 17, weight: 60, size: 0.08, descriptions: ['Pool payout'] }];

/** What can happen in an account by itself. */
export function singlesOf({ kind, row }: Holder): readonly Single[] {
  return row.blockchain === 'bitcoin' ? withMining : singles[kind];
}

function choose(random: Random, list: readonly Single[]): Single {
  let left = random.unit() * list.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = list.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return chosen ?? random.pick(list);
}

/** What a single is about: gas and stakes are in the chain's own coin, money matters in money, the rest in anything held. */
function subject(book: Book, holder: Holder, single: Single): Asset {
  const { random } = book;
  const [first] = holder.assets;
  if (first && holder.row.blockchain !== null && [19, 22, 23, 24, 28].includes(single.typeId)) return first;
  const quoted = single.inQuote || ((single.typeId === 1 || single.typeId === 2) && random.chance(0.6));
  const list = quoted && holder.quotes.length > 0 ? holder.quotes : holder.assets;
  const wants = signOfType(single.typeId) < 0;
  for (let tries = 0; tries < 3; tries++) {
    const asset = random.pick(list);
    if (!wants || held(book, holder, asset) > 0n) return asset;
  }
  return random.pick(list);
}

/** Hash and addresses of a row that a chain knows of; nulls for the rest. */
function traces(book: Book, holder: Holder, asset: Asset, typeId: TransactionTypeId) {
  const { blockchain, address } = holder.row;
  const moves = typeId === 1 || typeId === 2;
  const rail: Rail | null = blockchain !== null ? railOf(blockchain) : holder.kind === 'exchange' && moves ? asset.rail : null;
  if (rail === null) return { hash: null, from: null, to: null };
  const stranger = book.random.pick(book.strangers[rail]);
  const outgoing = signOfType(typeId) < 0;
  return { hash: newHash(book.random, rail), from: outgoing ? address : stranger, to: outgoing ? stranger : address };
}

/**
 * Writes something that happens in an account by itself.
 * @param room how many rows may still be written.
 * @param what what is to happen; anything the account knows when left out.
 * @returns whether there was anything to give.
 */
export function single(book: Book, holder: Holder, at: number, options: { room: number; what?: Single }): boolean {
  const { random } = book;
  const what = options.what ?? choose(random, singlesOf(holder));
  const asset = subject(book, holder, what);
  const usd = usualUsd(book) * what.size;
  const gives = signOfType(what.typeId) < 0 || what.typeId === 22 || what.typeId === 23;
  const quantity = gives ? affordable(book, holder, asset, usd) : worth(book, holder, asset, usd);
  if (quantity === 0n) return false;
  const { hash, from, to } = traces(book, holder, asset, what.typeId);
  // exchanges take their fee out of what is withdrawn
  const fee = what.typeId === 2 && holder.kind === 'exchange' && random.chance(0.6) ? partOf(quantity, 1500, placesIn(holder, asset)) : 0n;
  const row = post(book, {
    holder,
    asset,
    typeId: what.typeId,
    quantity,
    at,
    hash,
    from,
    to,
    description: random.pick(what.descriptions),
    ...(fee > 0n ? { fee } : {}),
  });
  if (what.typeId === 2) {
    if (random.chance(0.03)) markNoTransfer(book, row, at);
    if (hash !== null && holder.row.blockchain !== null && options.room > 1) payGas(book, holder, at, hash);
  }
  return true;
}

/** Money comes in: what happens when there was nothing for anything else. Always one row. */
export function fund(book: Book, holder: Holder, at: number): void {
  const asset = holder.quotes[0] ?? holder.assets[0];
  if (!asset) throw new Error(`${holder.row.account_name} deals in nothing`);
  const typeId = holder.kind === 'saft' || holder.kind === 'digital' ? 25 : 1;
  const { hash, from, to } = traces(book, holder, asset, typeId);
  const description = typeId === 25 ? 'In-kind subscription' : 'Funding';
  post(book, { holder, asset, typeId, quantity: worth(book, holder, asset, usualUsd(book) * 12), at, hash, from, to, description });
}

/** Something arrives that nobody can name yet. Always one row. */
export function surprise(book: Book, holder: Holder, at: number): void {
  const asset = book.random.pick(holder.assets);
  const typeId = book.random.chance(0.5) ? 1 : 13;
  const { hash, from, to } = traces(book, holder, asset, typeId);
  post(book, {
    holder,
    asset,
    typeId,
    quantity: worth(book, holder, asset, usualUsd(book) * 0.05),
    at,
    hash,
    from,
    to,
    unidentified: true,
  });
}
