import type { MatchState } from '#contract/transaction-codes.ts';
import { affordable, type Book, isManual, type MatchRow, placesIn, post, type TransactionRow, usualUsd } from './book.ts';
import { newHash } from './chains.ts';
import type { Holder } from './demo-accounts.ts';
import { type Asset, type Rail, railOf } from './demo-assets.ts';
import { dayMs } from './calendar.ts';
import { partOf, quantityText, roughQuantity } from './exact.ts';
import { idAt } from './ids.ts';

const hourMs = 3_600_000;

function deals(holder: Holder, asset: Asset): boolean {
  return holder.assets.includes(asset) || holder.quotes.includes(asset);
}

/** Where an asset can go from an account: a bank takes its currency, a chain only from its own kind or from an exchange. */
function canReceive(from: Holder, to: Holder, asset: Asset, at: number): boolean {
  if (to === from || at < to.from || at > to.until || to.kind === 'saft' || !deals(to, asset)) return false;
  return from.row.blockchain === null || to.row.blockchain === null || from.row.blockchain === to.row.blockchain;
}

function destination(book: Book, from: Holder, asset: Asset, at: number): Holder | undefined {
  for (let tries = 0; tries < 8; tries++) {
    const to = book.random.pick(book.holders);
    if (canReceive(from, to, asset, at)) return to;
  }
  return undefined;
}

/** How far a pair has been reviewed: what is old mostly is, what is new mostly waits. */
function reviewed(book: Book, at: number): MatchState {
  const unit = book.random.unit();
  if (book.now - at < 75 * dayMs) return unit < 0.93 ? 'PENDING' : unit < 0.99 ? 'APPROVED' : 'REJECTED';
  return unit < 0.6 ? 'PENDING' : unit < 0.95 ? 'APPROVED' : 'REJECTED';
}

/** Points out of 100: hash 60, address 20, amount 15, time 5, as the matching engine gives them. */
function scoreOf(hash: boolean, address: boolean, apartMs: number): number {
  const window = hash ? 72 * hourMs : 20 * hourMs;
  return (hash ? 60 : 0) + (address ? 20 : 0) + 15 + Math.max(0, Math.round(5 * (1 - apartMs / window)));
}

/** A match of two rows just written, found by the nightly run some time after the later of them. */
function matchOf(book: Book, legs: { out: TransactionRow; into: TransactionRow; at: number }, difference: bigint): MatchRow {
  const { out, into, at } = legs;
  const foundAt = Math.min(book.now, at + book.random.below(dayMs));
  const state = out.match_state ?? 'PENDING';
  const decidedAt = state === 'PENDING' ? null : new Date(Math.min(book.now, foundAt + book.random.below(20 * dayMs))).toISOString();
  const apartMs = Date.parse(into.trx_date) - Date.parse(out.trx_date);
  const byHash = out.tx_hash !== null && out.tx_hash === into.tx_hash;
  return {
    id: idAt(foundAt, book.random),
    entity_id: out.entity_id,
    kind: out.is_unidentified || into.is_unidentified ? 'matched_unidentified' : 'transfer',
    state,
    out_trx_id: out.id,
    in_trx_id: into.id,
    quantity_difference: quantityText(difference),
    reason: byHash ? 'tx_hash' : apartMs < 6 * hourMs ? 'unique' : 'best',
    score: scoreOf(byHash, byHash && (out.to_address !== null || into.from_address !== null), apartMs),
    source: 'engine',
    decided_at: decidedAt,
    version: decidedAt === null ? 1 : 2,
    created_at: new Date(foundAt).toISOString(),
  };
}

/** How the two legs of a transfer differ: hash, time between them, fee taken on the way. */
function legsOf(book: Book, from: Holder, to: Holder, asset: Asset, quantity: bigint) {
  const { random } = book;
  const rail: Rail | null =
    from.row.blockchain !== null ? railOf(from.row.blockchain) : to.row.blockchain !== null ? railOf(to.row.blockchain) : asset.rail;
  const onChain = from.row.blockchain !== null && to.row.blockchain !== null;
  const byHash = rail !== null && !isManual(from) && !isManual(to) && (onChain || random.chance(0.8));
  const hash = rail === null ? null : newHash(random, rail);
  // two wallets of one chain see one moment; a bank takes a day or two
  const apart = onChain
    ? 0
    : rail === null
      ? random.below(30 * hourMs)
      : random.chance(0.7)
        ? 60_000 + random.below(5 * hourMs)
        : random.below(60_000);
  const net = !onChain && from.kind === 'exchange' && rail !== null && random.chance(0.35);
  const flat = net ? roughQuantity(random, (2 + random.unit() * 18) / asset.usd, placesIn(from, asset)) : 0n;
  const fee = flat * 10n < quantity ? flat : partOf(quantity, 1000, placesIn(from, asset));
  return {
    outHash: byHash || from.row.blockchain !== null ? hash : null,
    inHash: byHash || (to.row.blockchain !== null && from.row.blockchain === null) ? hash : null,
    apart: Math.floor(apart / 1000) * 1000,
    fee,
    stranger: rail === null ? null : random.pick(book.strangers[rail]),
  };
}

/**
 * A transfer between two accounts of the entity: Withdrawal, Deposit and their match.
 * @param unidentified the receiving custodian's name for the asset is not mapped yet.
 * @param room how many rows may still be written.
 * @returns whether there was something to send and somewhere to send it.
 */
export function transfer(book: Book, from: Holder, at: number, options: { room: number; unidentified: boolean }): boolean {
  if (options.room < 2) return false;
  const asset = book.random.pick(from.quotes.length > 0 && book.random.chance(0.4) ? from.quotes : from.assets);
  const quantity = affordable(book, from, asset, usualUsd(book) * 3);
  const to = quantity === 0n ? undefined : destination(book, from, asset, at);
  if (!to || (options.unidentified && !book.symbols.unknown.has(to.custodian))) return false;

  const legs = legsOf(book, from, to, asset, quantity);
  const outAt = Math.max(at - legs.apart, from.from);
  const hash = options.unidentified ? (legs.outHash ?? legs.inHash) : legs.outHash;
  // without a hash nobody could tell that an unknown asset is the one that left
  if (options.unidentified && hash === null) return false;
  const matchState = options.unidentified ? 'PENDING' : reviewed(book, at);
  const out = post(book, {
    holder: from,
    asset,
    typeId: 2,
    quantity,
    at: outAt,
    hash,
    from: from.row.address,
    to: to.row.address ?? legs.stranger,
    description: `Transfer to ${to.row.account_name}`,
    matchState,
    ...(legs.fee > 0n ? { fee: legs.fee } : {}),
  });
  const into = post(book, {
    holder: to,
    asset,
    typeId: 1,
    quantity: quantity - legs.fee,
    at,
    hash: options.unidentified ? hash : legs.inHash,
    from: from.row.address ?? (to.row.address === null ? null : legs.stranger),
    to: to.row.address,
    description: options.unidentified ? null : `Transfer from ${from.row.account_name}`,
    matchState,
    unidentified: options.unidentified,
  });
  book.matches.push(matchOf(book, { out, into, at }, legs.fee));
  return true;
}

/** A withdrawal a person has marked as no transfer: a decided match of one leg. */
export function markNoTransfer(book: Book, row: TransactionRow, at: number): void {
  row.match_state = 'REJECTED';
  const decidedAt = Math.min(book.now, at + book.random.below(20 * dayMs));
  book.matches.push({
    id: idAt(decidedAt, book.random),
    entity_id: row.entity_id,
    kind: 'transfer',
    state: 'REJECTED',
    out_trx_id: row.id,
    in_trx_id: null,
    quantity_difference: null,
    reason: null,
    score: null,
    source: 'manual',
    decided_at: new Date(decidedAt).toISOString(),
    version: 1,
    created_at: new Date(decidedAt).toISOString(),
  });
}
