import { affordable, type Book, held, isManual, placesIn, post, usualUsd } from './book.ts';
import { newHash, protocols } from './chains.ts';
import type { Holder } from './demo-accounts.ts';
import { type Asset, railOf } from './demo-assets.ts';
import { exchanged, partOf } from './exact.ts';
import { idAt } from './ids.ts';

/** A favourite more often than the rest of a list. */
function favourite(book: Book, assets: readonly Asset[]): Asset | undefined {
  const unit = book.random.unit();
  return assets[Math.floor(unit * unit * assets.length)];
}

/**
 * A trade at an exchange or broker: TradeSell of what is given, TradeBuy of what is got, TradeFee or, seldom, TradeRebate.
 * @param room how many rows may still be written.
 * @returns whether there was anything to give.
 */
export function trade(book: Book, holder: Holder, at: number, room: number): boolean {
  const { random } = book;
  const base = favourite(book, holder.assets);
  const quote = favourite(book, holder.quotes);
  if (!base || !quote || base === quote || room < 2) return false;
  const usd = usualUsd(book);
  // buys what it can pay for; who has no money sells
  const buys = random.chance(0.53) && held(book, holder, quote) > 0n;
  const [given, got] = buys ? [quote, base] : [base, quote];
  const gives = affordable(book, holder, given, usd);
  const slip = 999_000 + random.below(2000);
  const gets = partOf(
    exchanged(gives, book.prices(given, at).units, book.prices(got, at).units, placesIn(holder, got)),
    slip,
    placesIn(holder, got),
  );
  if (gives === 0n || gets === 0n) return false;

  const tradeGroupId = idAt(at, random);
  const description = `${buys ? 'Buy' : 'Sell'} ${base.ticker}/${quote.ticker}`;
  // on the way in before on the way out: the holding is never seen below zero
  post(book, { holder, asset: got, typeId: 3, quantity: gets, at, tradeGroupId, description });
  post(book, { holder, asset: given, typeId: 4, quantity: gives, at, tradeGroupId, description });
  const paid = buys ? gives : gets;
  const rate = isManual(holder) ? 200 : random.pick([400, 800, 1000, 1600]);
  const fee = partOf(paid, rate, placesIn(holder, quote));
  if (room < 3 || fee === 0n) return true;
  if (random.chance(0.05)) post(book, { holder, asset: quote, typeId: 6, quantity: fee, at, tradeGroupId, description: 'Maker rebate' });
  else if (held(book, holder, quote) >= fee) post(book, { holder, asset: quote, typeId: 5, quantity: fee, at, tradeGroupId });
  return true;
}

const wrapped: readonly string[] = ['ETH', 'WETH'];

/**
 * A swap in a wallet as a chain tells it: what left, what came and the gas, rows of one hash.
 * Into a pool go two assets and its token comes out.
 * @param room how many rows may still be written.
 * @returns whether there was anything to swap.
 */
export function swap(book: Book, holder: Holder, at: number, room: number): boolean {
  const { random } = book;
  const [native] = holder.assets;
  if (!native || holder.row.blockchain === null || room < 3) return false;
  const given = random.pick(holder.assets);
  const got = random.pick(holder.assets);
  if (given === got) return false;
  const gives = affordable(book, holder, given, usualUsd(book));
  if (gives === 0n) return false;
  const second =
    got.priced || room < 4 ? undefined : holder.assets.find((asset) => asset !== given && asset !== got && held(book, holder, asset) > 0n);
  const isWrap = wrapped.includes(given.ticker) && wrapped.includes(got.ticker);
  const protocol = random.pick(protocols);
  const hash = newHash(random, railOf(holder.row.blockchain));
  const own = holder.row.address;
  const verb = isWrap ? 'Wrap' : !got.priced ? 'Add liquidity:' : given.priced ? 'Swap' : 'Remove liquidity:';
  const description = `${verb} ${given.ticker} to ${got.ticker} on ${protocol.name}`;

  const gets = isWrap
    ? gives
    : partOf(
        exchanged(gives, book.prices(given, at).units, book.prices(got, at).units, got.places),
        994_000 + random.below(6000),
        got.places,
      );
  if (gets === 0n) return false;
  post(book, { holder, asset: given, typeId: 2, quantity: gives, at, hash, from: own, to: protocol.address, description });
  if (second) {
    const also = affordable(book, holder, second, usualUsd(book));
    if (also > 0n) post(book, { holder, asset: second, typeId: 2, quantity: also, at, hash, from: own, to: protocol.address, description });
  }
  post(book, { holder, asset: got, typeId: 1, quantity: gets, at, hash, from: protocol.address, to: own, description });
  payGas(book, holder, at, hash);
  return true;
}

/** The gas of a chain transaction as a Fee row of its hash, where the wallet has any. */
export function payGas(book: Book, holder: Holder, at: number, hash: string): void {
  const [native] = holder.assets;
  if (!native) return;
  const gas = affordable(book, holder, native, 0.4 + book.random.unit() * 9);
  if (gas > 0n) post(book, { holder, asset: native, typeId: 24, quantity: gas, at, hash, from: holder.row.address, description: 'Gas' });
}
