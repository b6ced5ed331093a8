import { type Asset, assetsOf, assetsOfChain } from './demo-assets.ts';
import type { AccountKind } from './demo-places.ts';
import type { Random } from './random.ts';

/** Where an account is: at a custodian, on a chain if it is a wallet, in a currency if it is at a bank. */
export interface Seat {
  kind: AccountKind;
  custodian: string;
  chain: string | null;
  currency: string | null;
}

/** What an account deals in, and what it pays with and is paid in; no quotes where there is no trade. */
export interface Menu {
  assets: readonly Asset[];
  quotes: readonly Asset[];
}

const custodiansOf: Readonly<Record<Exclude<AccountKind, 'blockchain' | 'defi'>, readonly string[]>> = {
  exchange: ['Coinbase Prime', 'Kraken', 'Binance', 'Bitstamp', 'OKX', 'Gemini', 'Bybit', 'Bitfinex'],
  bank: ['JPMorgan Chase', 'Customers Bank', 'Sygnum Bank', 'Cross River Bank', 'Barclays'],
  digital: ['Anchorage Digital', 'BitGo', 'Fidelity Digital Assets'],
  liquid: ['Manual entry'],
  traditional: ['Interactive Brokers', 'Charles Schwab'],
  saft: ['Private placement'],
};
const walletChains = ['ethereum', 'bitcoin', 'ethereum', 'solana', 'arbitrum', 'polygon', 'base', 'bnb smart chain'];
const defiChains = ['ethereum', 'arbitrum', 'ethereum', 'base', 'optimism', 'avalanche', 'polygon', 'fantom'];
const currencies = ['USD', 'EUR', 'CHF', 'GBP'];

const quotesOf: Readonly<Record<string, readonly string[]>> = {
  Binance: ['USDT', 'USDC'],
  OKX: ['USDT', 'USDC'],
  Bybit: ['USDT', 'USDC'],
  Bitfinex: ['USDT', 'USDC'],
  Kraken: ['USD', 'EUR', 'USDC'],
  Bitstamp: ['USD', 'EUR', 'USDC'],
};
/** Every exchange lists these, so that there is something to send from one to another. */
const everywhere = ['BTC', 'ETH', 'SOL'];
const elsewhere = ['XRP', 'LINK', 'AVAX', 'DOGE', 'ADA', 'LTC', 'UNI', 'AAVE', 'ARB', 'OP', 'DOT', 'ATOM', 'NEAR', 'POL', 'PEPE', 'SHIB'];

function turn(list: readonly string[], position: number): string {
  const item = list[position % list.length];
  if (item === undefined) throw new Error('an empty list has no turn');
  return item;
}

/**
 * The place of an entity's account.
 * @param position its number among the entity's accounts of the kind.
 * @param order the entity's number, so that neighbours use different places.
 * @param chains the entity's own chains for wallets, where they are not the usual ones.
 */
export function seatOf(kind: AccountKind, position: number, order: number, chains: readonly string[] = walletChains): Seat {
  if (kind === 'blockchain' || kind === 'defi') {
    const chain = turn(kind === 'defi' ? defiChains : chains, position);
    const custodian = chain === 'bnb smart chain' ? 'BNB Smart Chain' : chain.charAt(0).toUpperCase() + chain.slice(1);
    return { kind, custodian, chain, currency: null };
  }
  const currency = kind === 'bank' ? turn(currencies, position) : null;
  return { kind, custodian: turn(custodiansOf[kind], order + position), chain: null, currency };
}

/** What an account deals in; each exchange account of a choice of its own. */
export function menuOf({ kind, custodian, chain, currency }: Seat, random: Random): Menu {
  switch (kind) {
    case 'exchange': {
      const first = random.below(elsewhere.length);
      const more = Array.from({ length: 7 }, (_, i) => turn(elsewhere, first + i));
      return { assets: assetsOf([...everywhere, ...more]), quotes: assetsOf(quotesOf[custodian] ?? ['USD', 'USDC']) };
    }
    case 'blockchain':
      return { assets: assetsOfChain(chain ?? ''), quotes: [] };
    case 'defi':
      return { assets: [...assetsOfChain(chain ?? ''), ...(chain === 'ethereum' ? assetsOf(['UNI-V2', 'SLP', '3CRV']) : [])], quotes: [] };
    case 'bank':
      return { assets: assetsOf([currency ?? 'USD']), quotes: [] };
    case 'digital':
      return { assets: assetsOf(['BTC', 'ETH', 'SOL', 'USDC']), quotes: [] };
    case 'liquid':
      return { assets: assetsOf(['VMFXX', 'UST-26W']), quotes: assetsOf(['USD']) };
    case 'traditional':
      return { assets: assetsOf(['SPY', 'AAPL', 'MSFT', 'COIN', 'IBIT']), quotes: assetsOf(['USD']) };
    case 'saft':
      return { assets: assetsOf(['SAFT-LUMEN', 'SAFT-QUARRY', 'SAFT-TESSERA', 'SAFT-NORTHWIND']), quotes: [] };
  }
}
