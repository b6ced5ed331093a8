import { useMemo } from 'react';
import type { GridResult, GridRow } from '#workers/start.ts';
import type { GridState } from '#app/ui/grid/grid-state.ts';
import { totalsOf, totalsWithout } from './selection-totals.ts';
import { TotalsBar } from './totals-bar.tsx';
import { useGridSnapshot } from './use-grid-state.ts';
import type { Names } from './use-names.ts';

interface ShownTotalsProps {
  result: GridResult | null;
  isStale: boolean;
  state: GridState<GridRow>;
  names: Names;
  onMark: ((isTransfer: boolean) => void) | null;
}

/** The sums of the selected rows, else of all filtered ones; where all are selected these are the same. */
export function ShownTotals({ result, isStale, state, names, onMark }: ShownTotalsProps) {
  const { selection } = useGridSnapshot(state);
  const totals = useMemo(() => {
    if (selection.kind === 'some') return totalsOf([...selection.rows.values()]);
    return selection.kind === 'all' && result ? totalsWithout(result, [...selection.except.values()]) : result;
  }, [selection, result]);
  return (
    <TotalsBar
      totals={totals}
      isSelection={selection.kind !== 'none'}
      isStale={isStale}
      names={names}
      onClearSelection={state.clearSelection}
      onMark={onMark}
    />
  );
}
