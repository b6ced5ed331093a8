import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import type { KeyboardEvent, ReactNode } from 'react';
import { formatUsd, plainDecimal } from '#domain/amounts.ts';
import type { GridTotals } from '#workers/start.ts';
import { Button } from '#app/ui/button.tsx';
import { focusGrid } from '#app/ui/grid/focus-grid.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { DownIcon } from '#app/ui/icons.tsx';
import { countWords } from '#domain/count-words.ts';
import { AssetTable } from './asset-table.tsx';
import type { Names } from './use-names.ts';

function Figure({ label, usd }: { label: string; usd: string | undefined }) {
  const { numbers } = usePreferences();
  return (
    <span className="flex items-baseline gap-1.5 whitespace-nowrap" title={usd === undefined ? undefined : `${plainDecimal(usd)} USD`}>
      <span className="text-muted">{label}</span>
      {usd === undefined ? (
        <span aria-hidden="true" className="bones h-3 w-16 self-center" />
      ) : (
        <span className="figures font-semibold">{formatUsd(usd, numbers)}</span>
      )}
    </span>
  );
}

/** What the sums leave out. */
function Left({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap text-warn">{children}</span>;
}

function PerAsset({ totals, names }: { totals: GridTotals; names: Names }) {
  return (
    <Popover>
      <PopoverButton className="flex h-7 items-center gap-1.5 rounded px-2 text-link hover:bg-hover">
        Per asset
        <DownIcon />
      </PopoverButton>
      <PopoverPanel
        focus
        role="dialog"
        aria-label="Per asset"
        anchor={{ to: 'top end', gap: 6, padding: 8 }}
        className="z-30 flex max-w-[96vw] flex-col rounded bg-raised shadow-pop outline-primary [--anchor-max-height:60vh] has-[[role=group]:focus-visible]:outline-2"
      >
        <div
          role="group"
          tabIndex={0}
          aria-label="Sums per asset"
          className="min-h-0 overflow-auto rounded py-4 outline-none focus-visible:shadow-none"
        >
          <AssetTable totals={totals} names={names} />
        </div>
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
  /** How selecting begins where rows have no box; null where they have. */
  byTaps: { onStart: () => void; onAll: () => void } | null;
  /** Null where the user may not mark transfers. */
  onMark: ((isTransfer: boolean) => void) | null;
}

/** The exact sums at the foot of the grid. */
export function TotalsBar({ totals, isSelection, isStale, names, onClearSelection, byTaps, onMark }: TotalsBarProps) {
  const rows = totals ? countWords(totals.count, 'row') : '';
  const isNone = totals === null || totals.count === 0;
  const onFocus = useLostFocus(() => focusGrid());
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && isSelection) onClearSelection();
  };
  return (
    <section
      aria-label="Totals"
      aria-busy={isStale}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      className={`flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-strong px-4 py-1 text-grid print:hidden ${isSelection ? 'bg-selected' : 'bg-subtle'}`}
    >
      <span aria-live="polite" className="figures font-semibold whitespace-nowrap">
        {isSelection ? `${rows} selected` : rows}
      </span>
      <span className="flex flex-wrap gap-1.5">
        {isSelection && onMark ? (
          <>
            <Button size="small" disabled={isNone} onClick={() => onMark(true)}>
              Mark transfer
            </Button>
            <Button size="small" disabled={isNone} onClick={() => onMark(false)}>
              Not a transfer
            </Button>
          </>
        ) : null}
        {isSelection && byTaps ? (
          <Button size="small" look="quiet" aria-label="Select all rows" onClick={byTaps.onAll}>
            All
          </Button>
        ) : null}
        {isSelection || byTaps ? (
          // one button for both, so that it keeps the focus
          <Button
            size="small"
            look={isSelection ? 'quiet' : 'plain'}
            disabled={!isSelection && isNone}
            onClick={isSelection ? onClearSelection : byTaps?.onStart}
          >
            {isSelection ? (
              <>
                Clear<span className="max-sm:sr-only"> selection</span>
              </>
            ) : (
              <>
                Select<span className="sr-only"> rows</span>
              </>
            )}
          </Button>
        ) : null}
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:min-w-0 sm:grow sm:basis-96 sm:justify-end">
        {totals && totals.unpriced > 0 ? <Left>{totals.unpriced.toLocaleString('en-US')} without USD value</Left> : null}
        {totals && totals.unknown > 0 ? <Left>{totals.unknown.toLocaleString('en-US')} of unknown type, in no sum</Left> : null}
        <Figure label="USD in" usd={totals?.usd.in} />
        <Figure label="out" usd={totals?.usd.out} />
        <Figure label="fees" usd={totals?.usd.fees} />
        <Figure label="net" usd={totals?.usd.net} />
        {totals ? <PerAsset totals={totals} names={names} /> : null}
      </span>
    </section>
  );
}
