import type { Calendar } from './calendar.ts';
import type { Asset } from './demo-assets.ts';
import { priceOf } from './exact.ts';
import { openRandom } from './random.ts';

/** An asset's price on a day: as text for the row, as 10^-10 US dollars for exact products. */
interface Price {
  text: string;
  units: bigint;
}

/** Assets that are worth what another is, and so walk with it. */
const walksWith: Readonly<Record<string, string>> = { WETH: 'ETH', STETH: 'ETH', WBTC: 'BTC', IBIT: 'BTC' };

/** The price of an asset at a moment; one price a day, UTC. */
export type Prices = (asset: Asset, at: number) => Price;

/** Walks an asset through every day of the calendar; its logarithm is drawn back towards the listed price, so no walk runs away. */
function walk(asset: Asset, days: number, seed: number): Price[] {
  const random = openRandom(`${seed}/price/${walksWith[asset.ticker] ?? asset.ticker}`);
  const prices: Price[] = [];
  let drift = random.bell() * asset.swing * 8;
  for (let day = 0; day < days; day++) {
    drift = drift * 0.99 + random.bell() * asset.swing;
    prices.push(priceOf(asset.usd * Math.exp(drift)));
  }
  return prices;
}

/** Opens the prices of a seed. An asset's walk is made when it is first asked for. */
export function openPrices(calendar: Calendar, seed: number): Prices {
  const walks = new Map<string, Price[]>();
  return (asset, at) => {
    let prices = walks.get(asset.ticker);
    if (!prices) {
      prices = walk(asset, calendar.days, seed);
      walks.set(asset.ticker, prices);
    }
    const price = prices[calendar.dayOf(at)];
    if (!price) throw new Error(`no price of ${asset.ticker} on ${new Date(at).toISOString()}`);
    return price;
  };
}
