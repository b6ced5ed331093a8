import type { MatchState, TransactionTypeId } from '#contract/transaction-codes.ts';
import { signOfType } from '#domain/transaction-types.ts';
import type { Strangers } from './chains.ts';
import type { Holder } from './demo-accounts.ts';
import type { Asset } from './demo-assets.ts';
import type { Symbols } from './demo-symbols.ts';
import { partOf, quantityText, roughQuantity, valueText } from './exact.ts';
import { idAt } from './ids.ts';
import type { Prices } from './prices.ts';
import type { Random } from './random.ts';

/** A row of `transactions` as it is sent: amounts as decimal text, the date as ISO text. */
export interface TransactionRow {
  id: string;
  account_id: string;
  entity_id: string;
  custodian_id: string;
  security_id: string | null;
  custodian_security_id: string | null;
  trx_type_id: TransactionTypeId;
  trx_date: string;
  quantity: string;
  price: string | null;
  usd_value: string | null;
  fee_quantity: string | null;
  fee_security_id: string | null;
  fee_usd: string | null;
  tx_hash: string | null;
  from_address: string | null;
  to_address: string | null;
  description: string | null;
  trade_group_id: string | null;
  manual_trx: boolean;
  updated_trx: boolean;
  unpriced_trx: boolean;
  is_unidentified: boolean;
  match_state: MatchState | null;
  natural_key: string | null;
  version: number;
}

/** A row of `transaction_matches` as it is sent. Who decided is filled in when the users are there. */
export interface MatchRow {
  id: string;
  entity_id: string;
  kind: 'transfer' | 'matched_unidentified';
  state: MatchState;
  out_trx_id: string | null;
  in_trx_id: string | null;
  /** What left less what arrived. */
  quantity_difference: string | null;
  reason: string | null;
  score: number | null;
  source: 'engine' | 'manual';
  decided_at: string | null;
  version: number;
  created_at: string;
}

/** One entity's story while it is written: what it has, and the rows not yet taken away. */
export interface Book {
  random: Random;
  prices: Prices;
  symbols: Symbols;
  strangers: Strangers;
  now: number;
  holders: readonly Holder[];
  wealth: number;
  /** What an account has of an asset, by account id and ticker. */
  holdings: Map<string, bigint>;
  /** Rows written so far; numbers the natural keys. */
  written: number;
  rows: TransactionRow[];
  matches: MatchRow[];
}

/** What happens to one asset of one account. */
export interface Posting {
  holder: Holder;
  asset: Asset;
  typeId: TransactionTypeId;
  quantity: bigint;
  /** Milliseconds. */
  at: number;
  hash?: string | null;
  from?: string | null;
  to?: string | null;
  description?: string | null;
  tradeGroupId?: string;
  /** A fee contained in the quantity, in the same asset. */
  fee?: bigint;
  matchState?: MatchState | null;
  /** Nobody has said yet what the asset is. */
  unidentified?: boolean;
}

/** Whether an account is kept by hand. */
export function isManual(holder: Holder): boolean {
  return holder.row.account_integration_type_id >= 4;
}

/** What the account has of an asset; never negative. */
export function held(book: Book, holder: Holder, asset: Asset): bigint {
  return book.holdings.get(`${holder.row.id}${asset.ticker}`) ?? 0n;
}

/** A size in US dollars such as people of this entity move: mostly thousands, seldom tens or millions. */
export function usualUsd(book: Book): number {
  return 10 ** (3.5 + book.random.bell() * 0.75) * book.wealth;
}

/** Places a quantity may have in an account: exchanges keep 8, whatever the chain can. */
export function placesIn(holder: Holder, asset: Asset): number {
  return holder.kind === 'exchange' ? Math.min(8, asset.places) : asset.places;
}

/** A quantity worth about `usd`. */
export function worth(book: Book, holder: Holder, asset: Asset, usd: number): bigint {
  return roughQuantity(book.random, usd / asset.usd, placesIn(holder, asset));
}

/** A quantity worth about `usd` that the account can give away; less where it has less, zero where it has nothing. */
export function affordable(book: Book, holder: Holder, asset: Asset, usd: number): bigint {
  const has = held(book, holder, asset);
  if (has === 0n) return 0n;
  const wanted = worth(book, holder, asset, usd);
  return wanted <= has ? wanted : partOf(has, 50_000 + book.random.below(700_000), placesIn(holder, asset));
}

function isUnpriced(book: Book, { asset, at, unidentified }: Posting): boolean {
  if (unidentified || !asset.priced) return true;
  // prices come late: the last two days miss more of them
  return book.random.chance(book.now - at < 172_800_000 ? 0.06 : 0.012);
}

/** Writes one row and moves the holding. */
export function post(book: Book, posting: Posting): TransactionRow {
  const { holder, asset, typeId, quantity, at, fee, unidentified = false } = posting;
  const { random } = book;
  const price = isUnpriced(book, posting) ? null : book.prices(asset, at);
  const manual = isManual(holder) || random.chance(0.004);
  const updated = random.chance(0.012);
  const symbol = unidentified
    ? random.pick(book.symbols.unknown.get(holder.custodian) ?? [])
    : (book.symbols.known.get(holder.custodian)?.get(asset.ticker) ?? null);
  book.written += 1;
  const row: TransactionRow = {
    id: idAt(at, random),
    account_id: holder.row.id,
    entity_id: holder.row.entity_id,
    custodian_id: holder.row.custodian_id,
    security_id: unidentified ? null : asset.securityId,
    custodian_security_id: manual && !unidentified ? null : symbol,
    trx_type_id: typeId,
    trx_date: new Date(at).toISOString(),
    quantity: quantityText(quantity),
    price: price?.text ?? null,
    usd_value: price ? valueText(quantity, price.units) : null,
    fee_quantity: fee === undefined ? null : quantityText(fee),
    fee_security_id: fee === undefined || unidentified ? null : asset.securityId,
    fee_usd: fee === undefined || !price ? null : valueText(fee, price.units),
    tx_hash: posting.hash ?? null,
    from_address: posting.from ?? null,
    to_address: posting.to ?? null,
    description: posting.description ?? null,
    trade_group_id: posting.tradeGroupId ?? null,
    manual_trx: manual,
    updated_trx: updated,
    unpriced_trx: price === null,
    is_unidentified: unidentified,
    match_state: posting.matchState ?? null,
    natural_key: manual ? null : `demo:${book.written}`,
    version: updated ? 2 : 1,
  };
  book.rows.push(row);
  if (!unidentified) {
    const key = `${holder.row.id}${asset.ticker}`;
    const before = book.holdings.get(key) ?? 0n;
    const sign = signOfType(typeId);
    if (sign !== 0) book.holdings.set(key, sign > 0 ? before + quantity : before - quantity);
  }
  return row;
}
