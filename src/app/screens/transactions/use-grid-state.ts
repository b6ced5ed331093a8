import { useState, useSyncExternalStore } from 'react';
import type { GridRow } from '#workers/start.ts';
import { pause } from '#app/pause.ts';
import { useServices } from '#app/services.tsx';
import { createGridState, type GridSnapshot, type GridState, mostSelected } from '#app/ui/grid/grid-state.ts';
import type { QuerySource } from './query-source.ts';

/** Where one is in the list, what is selected and whether a row is open. */
export function useGridState(source: QuerySource): GridState<GridRow> {
  const { notices } = useServices();
  const [state] = useState(() =>
    createGridState({
      source,
      pause,
      onTooMany: () =>
        notices.notice(
          'warning',
          `A range holds ${mostSelected.toLocaleString('en-US')} rows at most. Ctrl+A selects all filtered rows, however many.`,
        ),
    }),
  );
  return state;
}

/** The state as it is now. Only what needs it follows it, so that a key press draws no more than it must. */
export function useGridSnapshot(state: GridState<GridRow>): GridSnapshot<GridRow> {
  return useSyncExternalStore(state.subscribe, state.snapshot);
}
