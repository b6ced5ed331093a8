import type { SyncStatus } from '#contract/accounts.ts';
import type { AccountBreak, ReconciliationStatus } from '#contract/reconciliations.ts';
import { type Calendar, dayMs } from './calendar.ts';
import type { Holder } from './demo-accounts.ts';
import type { AccountKind } from './demo-places.ts';
import { type Asset, assetsOf } from './demo-assets.ts';
import type { Cast } from './demo-transactions.ts';
import { openPrices, type Prices } from './prices.ts';
import { quantityText, roughQuantity, valueText } from './exact.ts';
import { openRandom, type Random } from './random.ts';

/** What later is worked out from balances: what accounts are worth, whether they tie out, how their last fetch ended. */
export interface Figures {
  accountValues: { account_id: string; as_of: string; value_usd: string; unpriced: number }[];
  entityValues: { entity_id: string; day: string; value_usd: string }[];
  reconciliations: {
    account_id: string;
    end_date: string;
    status: ReconciliationStatus;
    last_snapshot_at: string | null;
    breaks: string;
  }[];
  syncs: { account_id: string; at: string; status: SyncStatus; error: string | null }[];
}

/** Days with a value: thirteen months and a little. */
const valuedDays = 400;

/** Worth of a usual account of a kind in US dollars, and how much of it walks with the market. */
const worths: Readonly<Record<AccountKind, { usd: number; market: number }>> = {
  exchange: { usd: 2_400_000, market: 0.7 },
  blockchain: { usd: 3_100_000, market: 0.95 },
  defi: { usd: 1_300_000, market: 0.85 },
  bank: { usd: 900_000, market: 0 },
  digital: { usd: 1_700_000, market: 1 },
  liquid: { usd: 800_000, market: 0.1 },
  traditional: { usd: 1_100_000, market: 0.15 },
  saft: { usd: 650_000, market: 0 },
};

const failures = [
  'The API key was refused: it expired or was revoked',
  'The source answered no call for an hour',
  'The source asks to sign in anew',
] as const;

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

function centsText(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Last day of the month so many months before the one `now` lies in, as a moment within it. */
function monthEnd(now: number, monthsBefore: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore, 1) - dayMs;
}

/** What an account was worth on each day, in whole cents: its own drift and payments, times the market for the part that walks with it. */
function walkOf(holder: Holder, wealth: number, days: readonly number[], market: readonly number[], random: Random): number[] {
  const { usd, market: part } = worths[holder.kind];
  let held = usd * wealth * 10 ** (random.bell() * 0.35);
  return days.map((at, index) => {
    held *= 1 + 0.0006 + random.bell() * 0.002;
    // money comes and goes now and then
    if (random.chance(0.012)) held *= 1 + random.bell() * 0.12;
    if (at + dayMs <= holder.from || at > holder.until) return 0;
    return Math.round(held * (1 - part + part * (market[index] ?? 1)) * 100);
  });
}

/** A security that does not tie out: somewhat more or less is reported than the rows come to. */
function breakOf(asset: Asset, wealth: number, at: number, prices: Prices, random: Random): AccountBreak {
  const usd = 10 ** (3.2 + random.bell() * 0.7) * wealth;
  const difference = roughQuantity(random, usd / asset.usd, asset.places);
  const computed = difference + roughQuantity(random, (usd * 40) / asset.usd, asset.places);
  const sign = random.chance(0.5) ? 1n : -1n;
  const value = asset.priced ? valueText(difference, prices(asset, at).units) : null;
  const minus = sign < 0n ? '-' : '';
  return {
    security_id: asset.securityId,
    ticker: asset.ticker,
    reported: quantityText(computed + sign * difference),
    computed: quantityText(computed),
    difference: `${minus}${quantityText(difference)}`,
    difference_usd: value === null ? null : `${minus}${value}`,
  };
}

/** The two month-ends before: the older one is done with, the newer one has what is left to do. Some accounts were never compared. */
function reconciliationsOf(holder: Holder, wealth: number, now: number, prices: Prices, random: Random): Figures['reconciliations'] {
  if (holder.row.is_inactive || random.chance(0.08)) return [];
  const [assets, account_id] = [holder.assets, holder.row.id];
  return [1, 0].flatMap((monthsBefore) => {
    const at = monthEnd(now, monthsBefore);
    if (holder.from > at) return [];
    const unit = monthsBefore === 1 ? 0.5 : random.unit();
    const status = unit < 0.8 ? 'RECONCILED' : unit < 0.95 ? 'UNRECONCILED' : 'NO_SNAPSHOT';
    const broken = status === 'UNRECONCILED' ? assets.slice(0, 1 + random.below(2)) : [];
    const breaks = broken.map((asset) => breakOf(asset, wealth, at, prices, random));
    const last_snapshot_at = status === 'NO_SNAPSHOT' ? null : new Date(at + dayMs - 1).toISOString();
    return [{ account_id, end_date: dayText(at), status, last_snapshot_at, breaks: JSON.stringify(breaks) }];
  });
}

/** The fetch an account that is up to date had last, or the one that failed since. */
function syncOf({ row }: Holder, now: number, random: Random): Figures['syncs'] {
  if (row.is_inactive || row.account_integration_type_id > 3) return [];
  const isLate = now - row.last_update.getTime() > dayMs;
  const hasFailed = isLate ? random.chance(0.75) : random.chance(0.03);
  const at = hasFailed ? new Date(now - random.below(120) * 60_000) : row.last_update;
  return [
    {
      account_id: row.id,
      at: at.toISOString(),
      status: hasFailed ? 'SYNC_ERROR' : 'SYNCED',
      error: hasFailed ? random.pick(failures) : null,
    },
  ];
}

/** The figures of every entity and account. An entity is worth what its accounts are, to the cent, on every day. */
export function openFigures(casts: readonly Cast[], calendar: Calendar, seed: number): Figures {
  const prices = openPrices(calendar, seed);
  const [leading] = assetsOf(['BTC']);
  if (!leading) throw new Error('the market needs an asset');
  const today = Date.parse(`${dayText(calendar.now)}T00:00:00.000Z`);
  const days = Array.from({ length: valuedDays }, (_, index) => today - (valuedDays - 1 - index) * dayMs);
  const priceOn = (at: number): number => Number(prices(leading, at).units);
  const start = priceOn(today);
  const market = days.map((at) => priceOn(at) / start);
  const figures: Figures = { accountValues: [], entityValues: [], reconciliations: [], syncs: [] };
  for (const { plan, holders } of casts) {
    const random = openRandom(`${seed}/figures/${plan.name}`);
    const walks = holders.map((holder) => walkOf(holder, plan.wealth, days, market, random));
    for (const [index, holder] of holders.entries()) {
      const value_usd = centsText(walks[index]?.at(-1) ?? 0);
      const unpriced = random.chance(0.1) ? 1 + random.below(3) : 0;
      figures.accountValues.push({ account_id: holder.row.id, as_of: new Date(calendar.now).toISOString(), value_usd, unpriced });
      figures.reconciliations.push(...reconciliationsOf(holder, plan.wealth, calendar.now, prices, random));
      figures.syncs.push(...syncOf(holder, calendar.now, random));
    }
    const entity_id = holders[0]?.row.entity_id;
    if (entity_id === undefined) continue;
    for (const [index, at] of days.entries()) {
      const cents = walks.reduce((sum, walk) => sum + (walk[index] ?? 0), 0);
      figures.entityValues.push({ entity_id, day: dayText(at), value_usd: centsText(cents) });
    }
  }
  return figures;
}
