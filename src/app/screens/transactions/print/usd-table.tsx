import { formatUsd } from '#domain/amounts.ts';
import type { GridTotals } from '#workers/start.ts';
import { usePreferences } from '#app/use-preferences.ts';

/** What all rows of a list come to in US dollars, and how many count nothing there. */
export function UsdTable({ totals: { count, unpriced, usd } }: { totals: GridTotals }) {
  const { numbers } = usePreferences();
  const sums = [usd.in, usd.out, usd.fees, usd.net].map((sum) => formatUsd(sum, numbers));
  return (
    <>
      <h2 className="font-semibold">Totals</h2>
      <table aria-label="Totals in US dollars" className="figures text-grid whitespace-nowrap">
        <thead>
          <tr className="text-right text-small text-muted">
            {['Rows', 'USD in', 'USD out', 'USD fees', 'USD net'].map((head) => (
              <th key={head} scope="col" className="pr-6 pb-1 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-line text-right font-semibold">
            {[count.toLocaleString('en-US'), ...sums].map((sum, index) => (
              <td key={['rows', 'in', 'out', 'fees', 'net'][index]} className="py-1 pr-6">
                {sum}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {unpriced > 0 ? <p className="text-small">{unpriced.toLocaleString('en-US')} without USD value count nothing here.</p> : null}
    </>
  );
}
