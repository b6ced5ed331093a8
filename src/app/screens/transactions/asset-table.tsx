import { decimal, formatUsd, plainDecimal } from '#domain/amounts.ts';
import { shownQuantity } from '#domain/transaction-words.ts';
import type { AssetTotals, GridTotals } from '#workers/start.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { Names } from './use-names.ts';

function AssetRow({ asset, names }: { asset: AssetTotals; names: Names }) {
  const { numbers } = usePreferences();
  const security = asset.security_id === null ? undefined : names.security.get(asset.security_id);
  // what is unidentified is of many assets: no quantity is its
  const sums = asset.security_id === null ? [null, null, null, null] : [asset.in, asset.out, asset.fees, asset.net];
  return (
    <tr className="border-t border-line">
      <th scope="row" className="sticky left-0 bg-raised py-1 pr-3 pl-4 text-left print:pl-0 font-medium">
        {security?.ticker ?? (asset.security_id === null ? 'Unidentified' : 'Unknown')}
      </th>
      <td className="py-1 pl-4 text-right">{asset.count.toLocaleString('en-US')}</td>
      {sums.map((sum, index) => (
        <td
          key={['in', 'out', 'fees', 'net'][index]}
          className={`py-1 pl-4 text-right ${index === 3 ? 'font-semibold' : ''}`}
          title={sum === null ? 'Of different assets' : plainDecimal(sum)}
        >
          {sum === null || decimal(sum).isZero() ? '-' : shownQuantity(sum, security, numbers)}
        </td>
      ))}
      <td className="px-4 py-1 text-right" title={plainDecimal(asset.usd_net)}>
        {formatUsd(asset.usd_net, numbers)}
      </td>
    </tr>
  );
}

/** The largest first. Put in order only where it is shown: that takes longer than everything else at the foot of the list. */
function AssetRows({ totals, names }: { totals: GridTotals; names: Names }) {
  const assets = totals.assets.toSorted((a, b) => decimal(b.usd_net).abs().comparedTo(decimal(a.usd_net).abs()) ?? 0);
  return assets.map((asset) => <AssetRow key={asset.security_id ?? 'none'} asset={asset} names={names} />);
}

/** The exact sums of rows per asset. */
export function AssetTable({ totals, names }: { totals: GridTotals; names: Names }) {
  return (
    <table className="figures text-grid whitespace-nowrap">
      <caption className="px-4 pb-2 print:px-0 print:pt-3 text-left font-semibold">Per asset, in the asset's unit</caption>
      <thead>
        <tr className="text-right text-small text-muted">
          {['Asset', 'Rows', 'In', 'Out', 'Fees', 'Net', 'Net USD'].map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`pb-1 font-medium ${index === 0 ? 'sticky left-0 bg-raised pl-4 text-left print:pl-0' : 'pl-4'} last:pr-4`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <AssetRows totals={totals} names={names} />
      </tbody>
    </table>
  );
}
