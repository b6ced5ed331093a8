import { securityIdOf } from './reference.ts';

/** The kinds of address and hash an asset moves by outside exchanges; fiat and papers have none. */
export type Rail = 'evm' | 'bitcoin' | 'solana';

/** A security as the demo trades it. */
export interface Asset {
  ticker: string;
  securityId: string;
  /** Decimal places a quantity may have, 18 at most. */
  places: number;
  /** US dollars about which its price walks. */
  usd: number;
  /** Deviation of one day's step, as a part of the price; zero keeps the price. */
  swing: number;
  /** False where nobody publishes a price. */
  priced: boolean;
  rail: Rail | null;
}

type Listing = [places: number, usd: number, swing: number];

const evm: Record<string, Listing> = {
  ETH: [18, 3100, 0.028],
  WETH: [18, 3100, 0.028],
  STETH: [18, 3095, 0.028],
  USDC: [6, 1, 0.0002],
  USDT: [6, 1, 0.0002],
  DAI: [18, 1, 0.0003],
  FRAX: [18, 0.998, 0.0004],
  WBTC: [8, 64_000, 0.024],
  LINK: [18, 15.4, 0.04],
  UNI: [18, 8.9, 0.042],
  AAVE: [18, 142, 0.043],
  LDO: [18, 1.72, 0.05],
  CRV: [18, 0.46, 0.055],
  MKR: [18, 1850, 0.04],
  PEPE: [18, 0.0000098, 0.075],
  SHIB: [18, 0.0000178, 0.06],
  GMX: [18, 31, 0.045],
  PENDLE: [18, 4.3, 0.055],
  ARB: [18, 0.74, 0.048],
  OP: [18, 1.66, 0.048],
  POL: [18, 0.52, 0.042],
  AVAX: [18, 29, 0.042],
  BNB: [18, 585, 0.025],
  CAKE: [18, 2.1, 0.045],
  FTM: [18, 0.58, 0.05],
};

const chainless: Record<string, Listing> = {
  XRP: [6, 0.58, 0.035],
  DOGE: [8, 0.128, 0.045],
  ADA: [6, 0.44, 0.038],
  LTC: [8, 79, 0.03],
  DOT: [10, 6.1, 0.038],
  ATOM: [6, 6.8, 0.04],
  NEAR: [18, 5.2, 0.045],
  USD: [2, 1, 0],
  EUR: [2, 1.082, 0.0035],
  GBP: [2, 1.268, 0.0035],
  CHF: [2, 1.121, 0.0035],
  AAPL: [4, 192, 0.014],
  MSFT: [4, 405, 0.013],
  COIN: [4, 205, 0.035],
  SPY: [4, 502, 0.009],
  IBIT: [4, 37, 0.024],
  VMFXX: [2, 1, 0],
  'UST-26W': [2, 0.977, 0.0004],
};

/** Kept at cost until somebody says what they are worth. */
const unpriced: Record<string, [Listing, Rail | null]> = {
  'UNI-V2': [[18, 74, 0], 'evm'],
  SLP: [[18, 51, 0], 'evm'],
  '3CRV': [[18, 1.03, 0], 'evm'],
  'SAFT-LUMEN': [[0, 0.25, 0], null],
  'SAFT-QUARRY': [[0, 0.4, 0], null],
  'SAFT-TESSERA': [[0, 1.1, 0], null],
  'SAFT-NORTHWIND': [[0, 0.08, 0], null],
};

function assetOf(ticker: string, [places, usd, swing]: Listing, rail: Rail | null, priced = true): Asset {
  return { ticker, securityId: securityIdOf(ticker), places, usd, swing, priced, rail };
}

const assets: ReadonlyMap<string, Asset> = new Map(
  [
    ...Object.entries(evm).map(([ticker, listing]) => assetOf(ticker, listing, 'evm')),
    ...Object.entries(chainless).map(([ticker, listing]) => assetOf(ticker, listing, null)),
    ...Object.entries(unpriced).map(([ticker, [listing, rail]]) => assetOf(ticker, listing, rail, false)),
    assetOf('BTC', [8, 64_000, 0.024], 'bitcoin'),
    assetOf('SOL', [9, 148, 0.04], 'solana'),
    assetOf('JUP', [6, 0.92, 0.055], 'solana'),
    assetOf('BONK', [5, 0.0000215, 0.07], 'solana'),
  ].map((asset) => [asset.ticker, asset]),
);

/** The assets of these tickers, in their order. */
export function assetsOf(tickers: readonly string[]): Asset[] {
  return tickers.map((ticker) => {
    const asset = assets.get(ticker);
    if (!asset) throw new Error(`no demo asset ${ticker}`);
    return asset;
  });
}

/** What a chain holds: first the asset its gas is paid in. */
const chainAssets: Readonly<Record<string, readonly string[]>> = {
  ethereum: ['ETH', 'USDC', 'USDT', 'WETH', 'DAI', 'STETH', 'WBTC', 'LINK', 'UNI', 'AAVE', 'LDO', 'CRV', 'MKR', 'PEPE', 'SHIB'],
  bitcoin: ['BTC'],
  solana: ['SOL', 'USDC', 'JUP', 'BONK'],
  polygon: ['POL', 'USDC', 'USDT', 'WETH', 'DAI', 'AAVE'],
  arbitrum: ['ETH', 'USDC', 'ARB', 'WETH', 'GMX', 'PENDLE', 'WBTC'],
  base: ['ETH', 'USDC', 'WETH', 'DAI'],
  optimism: ['ETH', 'USDC', 'OP', 'WETH', 'DAI'],
  avalanche: ['AVAX', 'USDC', 'USDT', 'WETH', 'LINK'],
  'bnb smart chain': ['BNB', 'USDT', 'CAKE', 'USDC'],
  fantom: ['FTM', 'USDC', 'DAI'],
};

export function assetsOfChain(chain: string): Asset[] {
  return assetsOf(chainAssets[chain] ?? []);
}

/** How a chain's addresses and hashes look. */
export function railOf(chain: string): Rail {
  return chain === 'bitcoin' || chain === 'solana' ? chain : 'evm';
}
