import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { decimal, formatUsd, plainDecimal } from '#domain/amounts.ts';
import type { AssetTotals, GridTotals } from '#workers/start.ts';
import { Button } from '#app/ui/button.tsx';
import { DownIcon } from '#app/ui/icons.tsx';
import { shownQuantity } from '#domain/transaction-words.ts';
import type { Names } from './use-names.ts';

function Figure({ label, usd }: { label: string; usd: string | undefined }) {
  return (
    <span className="flex items-baseline gap-1.5 whitespace-nowrap" title={usd === undefined ? undefined : `${plainDecimal(usd)} USD`}>
      <span className="text-muted">{label}</span>
      {usd === undefined ? (
        <span aria-hidden="true" className="bones h-3 w-16 self-center" />
      ) : (
        <span className="figures font-semibold">{formatUsd(usd)}</span>
      )}
    </span>
  );
}

function AssetRow({ asset, names }: { asset: AssetTotals; names: Names }) {
  const security = asset.security_id === null ? undefined : names.security.get(asset.security_id);
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1 pr-3 text-left font-medium">
        {security?.ticker ?? 'Unidentified'}
      </th>
      <td className="py-1 pl-4 text-right">{asset.count.toLocaleString('en-US')}</td>
      {([asset.in, asset.out, asset.fees, asset.net] as const).map((sum, index) => (
        <td
          key={['in', 'out', 'fees', 'net'][index]}
          className={`py-1 pl-4 text-right ${index === 3 ? 'font-semibold' : ''}`}
          title={plainDecimal(sum)}
        >
          {decimal(sum).isZero() ? '-' : shownQuantity(sum, security)}
        </td>
      ))}
      <td className="py-1 pl-4 text-right" title={plainDecimal(asset.usd_net)}>
        {formatUsd(asset.usd_net)}
      </td>
    </tr>
  );
}

function PerAsset({ totals, names }: { totals: GridTotals; names: Names }) {
  const assets = totals.assets.toSorted((a, b) => decimal(b.usd_net).abs().comparedTo(decimal(a.usd_net).abs()) ?? 0);
  return (
    <Popover>
      <PopoverButton className="flex h-7 items-center gap-1.5 rounded px-2 text-link hover:bg-hover">
        Per asset
        <DownIcon />
      </PopoverButton>
      <PopoverPanel
        anchor={{ to: 'top end', gap: 6 }}
        className="z-30 max-h-[60vh] max-w-[96vw] overflow-auto rounded bg-raised p-4 shadow-pop"
      >
        <table className="figures text-grid whitespace-nowrap">
          <caption className="pb-2 text-left font-semibold">Per asset, in the asset's unit</caption>
          <thead>
            <tr className="text-right text-small text-muted">
              {['Asset', 'Rows', 'In', 'Out', 'Fees', 'Net', 'Net USD'].map((head, index) => (
                <th key={head} scope="col" className={`pb-1 font-medium ${index === 0 ? 'text-left' : 'pl-4'}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {assets.map((asset) => (
              <AssetRow key={asset.security_id ?? 'none'} asset={asset} names={names} />
            ))}
          </tbody>
        </table>
      </PopoverPanel>
    </Popover>
  );
}

interface TotalsBarProps {
  /** Of the selection where there is one, else of all filtered rows; null before the first answer. */
  totals: GridTotals | null;
  isSelection: boolean;
  isStale: boolean;
  names: Names;
  onClearSelection: () => void;
  /** Null where the user may not mark transfers. */
  onMark: ((isTransfer: boolean) => void) | null;
}

/** The exact sums at the foot of the grid. */
export function TotalsBar({ totals, isSelection, isStale, names, onClearSelection, onMark }: TotalsBarProps) {
  const rows = totals ? `${totals.count.toLocaleString('en-US')} ${totals.count === 1 ? 'row' : 'rows'}` : '';
  return (
    <section
      aria-label="Totals"
      aria-busy={isStale}
      className={`flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-strong px-4 py-1 text-grid ${isSelection ? 'bg-selected' : 'bg-subtle'}`}
    >
      <span aria-live="polite" className="figures font-semibold whitespace-nowrap">
        {isSelection ? `${rows} selected` : rows}
      </span>
      {isSelection ? (
        <span className="flex gap-1.5">
          {onMark ? (
            <>
              <Button size="small" onClick={() => onMark(true)}>
                Mark transfer
              </Button>
              <Button size="small" onClick={() => onMark(false)}>
                Not a transfer
              </Button>
            </>
          ) : null}
          <Button size="small" look="quiet" onClick={onClearSelection}>
            Clear selection
          </Button>
        </span>
      ) : null}
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:min-w-0 sm:grow sm:basis-96 sm:justify-end">
        {totals && totals.unpriced > 0 ? (
          <span className="whitespace-nowrap text-warn">{totals.unpriced.toLocaleString('en-US')} without USD value</span>
        ) : null}
        <Figure label="USD in" usd={totals?.usd.in} />
        <Figure label="out" usd={totals?.usd.out} />
        <Figure label="fees" usd={totals?.usd.fees} />
        <Figure label="net" usd={totals?.usd.net} />
        {totals ? <PerAsset totals={totals} names={names} /> : null}
      </span>
    </section>
  );
}
