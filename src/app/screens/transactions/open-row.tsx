import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import type { GridRow } from '#workers/start.ts';
import { focusGrid } from '#app/ui/grid/focus-grid.ts';
import type { GridState } from '#app/ui/grid/grid-state.ts';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import type { QuerySource } from './query-source.ts';
import { RowPanel } from './row-panel.tsx';
import type { AssetActionsOf } from './use-asset-actions.ts';
import { useGridSnapshot } from './use-grid-state.ts';
import type { Mark } from './use-mark-transfer.ts';
import type { Names } from './use-names.ts';
import type { ValueFilters } from './value-filter.tsx';

interface OpenRowProps {
  source: QuerySource;
  state: GridState<GridRow>;
  names: Names;
  zone: TimeZone;
  assetOf: AssetActionsOf;
  /** The list is of several entities. */
  saysEntity: boolean;
  filters: ValueFilters;
  /** Null where the user may not mark transfers. */
  onMark: ((rows: readonly GridRow[], mark: Mark) => void) | null;
}

/** The row one is on, in full, while it is open. */
export function OpenRow({ source, state, names, zone, assetOf, saysEntity, filters, onMark }: OpenRowProps) {
  useSyncExternalStore(source.subscribe, source.version);
  const { isOpen, active } = useGridSnapshot(state);
  const row = isOpen ? source.row(active.row) : undefined;
  const also = isOpen ? active.row : null;
  useEffect(() => {
    source.wantAlso(also);
    return () => source.wantAlso(null);
  }, [source, also]);
  const panel = useRef<HTMLElement>(null);
  // the row it showed may be gone, with the button one was at: another one took its place, or none
  const onFocus = useLostFocus(() => {
    if (panel.current) panel.current.focus();
    else focusGrid();
  });
  if (!row) return null;
  const close = (): void => {
    state.close();
    focusGrid();
  };
  return (
    <RowPanel
      panel={panel}
      onFocus={onFocus}
      row={row}
      clientId={names.entity.get(row.entity_id)?.client_id ?? ''}
      names={names}
      zone={zone}
      asset={assetOf(row)}
      saysEntity={saysEntity}
      filters={{
        ...filters,
        run: (...value) => {
          // what one looks at next is the list: on a narrow screen it is under this
          close();
          filters.run(...value);
        },
      }}
      onClose={close}
      onMark={onMark && ((mark) => onMark([row], mark))}
    />
  );
}
