import type { Transaction } from '#contract/transactions.ts';
import { decimal, sumOf } from '#domain/amounts.ts';
import { flowOfType } from '#domain/transaction-types.ts';
import type { AssetTotals, GridTotals } from '#workers/start.ts';

type Flows = { in: string; out: string; fees: string; net: string };
type Summed = Pick<Transaction, 'trx_type_id' | 'quantity' | 'usd_value' | 'security_id' | 'unpriced_trx'>;

function flowsOf(rows: readonly Summed[], valueOf: (row: Summed) => string | null): Flows {
  const sum = (flow: 'in' | 'out' | 'fees'): string =>
    sumOf(rows.filter((row) => flowOfType(row.trx_type_id) === flow).map((row) => valueOf(row) ?? '0'));
  const flows = { in: sum('in'), out: sum('out'), fees: sum('fees') };
  return { ...flows, net: decimal(flows.in).minus(decimal(flows.out)).minus(decimal(flows.fees)).toFixed() };
}

/** The exact sums of chosen rows, in the shape the worker gives for all filtered rows. */
export function totalsOf(rows: readonly Summed[]): GridTotals {
  const byAsset = new Map<string | null, Summed[]>();
  for (const row of rows) {
    const own = byAsset.get(row.security_id);
    if (own) own.push(row);
    else byAsset.set(row.security_id, [row]);
  }
  const assets = [...byAsset].map(
    ([securityId, own]): AssetTotals => ({
      security_id: securityId,
      count: own.length,
      ...flowsOf(own, (row) => row.quantity),
      usd_net: flowsOf(own, (row) => row.usd_value).net,
    }),
  );
  return {
    count: rows.length,
    assets,
    usd: flowsOf(rows, (row) => row.usd_value),
    unpriced: rows.filter((row) => row.unpriced_trx).length,
    unknown: rows.filter((row) => flowOfType(row.trx_type_id) === 'unknown').length,
  };
}

function lessFlows(all: Flows, part: Flows | undefined): Flows {
  const less = (flow: keyof Flows): string =>
    decimal(all[flow])
      .minus(decimal(part?.[flow] ?? '0'))
      .toFixed();
  return { in: less('in'), out: less('out'), fees: less('fees'), net: less('net') };
}

/** The sums of all filtered rows without some of them. */
export function totalsWithout(all: GridTotals, rows: readonly Summed[]): GridTotals {
  if (rows.length === 0) return all;
  const part = totalsOf(rows);
  const own = new Map(part.assets.map((asset) => [asset.security_id, asset]));
  const assets = all.assets.map((asset): AssetTotals => {
    const taken = own.get(asset.security_id);
    const usdNet = decimal(asset.usd_net).minus(decimal(taken?.usd_net ?? '0'));
    return {
      security_id: asset.security_id,
      count: asset.count - (taken?.count ?? 0),
      ...lessFlows(asset, taken),
      usd_net: usdNet.toFixed(),
    };
  });
  return {
    count: all.count - part.count,
    assets: assets.filter((asset) => asset.count > 0),
    usd: lessFlows(all.usd, part.usd),
    unpriced: all.unpriced - part.unpriced,
    unknown: all.unknown - part.unknown,
  };
}
