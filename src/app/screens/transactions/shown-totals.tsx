import { useMemo } from 'react';
import type { GridRow } from '#workers/start.ts';
import { areTapsSelecting, type GridState } from '#app/ui/grid/grid-state.ts';
import { listedRows } from '#app/ui/grid/row-selection.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { totalsOf, totalsWithout } from './selection-totals.ts';
import { TotalsBar } from './totals-bar.tsx';
import type { QuerySource } from './query-source.ts';
import { useGridAnswer } from './use-grid-query.ts';
import { useGridSnapshot } from './use-grid-state.ts';
import type { Names } from './use-names.ts';

interface ShownTotalsProps {
  source: QuerySource;
  state: GridState<GridRow>;
  names: Names;
  onMark: ((isTransfer: boolean) => void) | null;
}

/** The sums of the selected rows, of none while one has only begun to select, else of all filtered ones. */
export function ShownTotals({ source, state, names, onMark }: ShownTotalsProps) {
  const { result, isStale } = useGridAnswer(source);
  const { selection, isSelecting } = useGridSnapshot(state);
  const isSelection = areTapsSelecting({ isSelecting, selection });
  const isNarrow = useIsNarrow();
  const totals = useMemo(() => {
    if (selection.kind === 'some') return totalsOf(listedRows(selection.rows));
    if (selection.kind === 'none' && isSelecting) return totalsOf([]);
    return selection.kind === 'all' && result ? totalsWithout(result, listedRows(selection.except)) : result;
  }, [selection, isSelecting, result]);
  return (
    <TotalsBar
      totals={totals}
      isSelection={isSelection}
      isStale={isStale}
      names={names}
      onClearSelection={state.clearSelection}
      byTaps={isNarrow ? { onStart: state.startSelecting, onAll: state.selectAll } : null}
      onMark={onMark}
    />
  );
}
