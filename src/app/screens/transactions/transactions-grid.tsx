import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import type { SortState } from '#domain/transaction-filter.ts';
import { columns, gridWidth } from './columns.ts';
import { GridHeader } from './grid-header.tsx';
import { type GridActions, onGridKey } from './grid-keys.ts';
import { GridRowView } from './grid-row.tsx';
import { RowCard } from './row-card.tsx';
import { useFreshFilter } from './use-fresh-filter.ts';
import type { GridWindow } from './use-grid-query.ts';
import type { GridState } from './use-grid-state.ts';
import type { Names } from './use-names.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useVisibleRows } from './use-visible-rows.ts';

interface TransactionsGridProps {
  grid: GridWindow;
  state: GridState;
  names: Names;
  zone: TimeZone;
  sort: readonly SortState[];
  isNarrow: boolean;
  /** Changes with the filter and the order. */
  filterKey: string;
  onSort: (sort: SortState[]) => void;
  onMark: (isTransfer: boolean) => void;
  onCopy: () => void;
  /** What stands in place of the rows when there are none. */
  empty: ReactNode;
}

const rowHeight = 32;
const cardHeight = 64;
/** Skeleton rows shown before the first answer. */
const skeletonRows = 24;

/** The row a pointer event is in. */
function indexAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row ? Number(row.getAttribute('data-index')) : null;
}

/** The grid of transactions: only the rows in view exist, and the one the keyboard is on. */
export function TransactionsGrid({
  grid,
  state,
  names,
  zone,
  sort,
  isNarrow,
  filterKey,
  onSort,
  onMark,
  onCopy,
  empty,
}: TransactionsGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const count = grid.result?.count ?? skeletonRows;
  const height = isNarrow ? cardHeight : rowHeight;
  // oxlint-disable-next-line react/incompatible-library -- what it gives is used here alone, and no compiler memoizes it
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollPaddingStart: isNarrow ? 0 : rowHeight,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return shown.includes(state.active) || state.active >= count ? shown : [...shown, state.active].sort((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  useVisibleRows(grid.cache, virtualizer.range, count);
  useFreshFilter(filterKey, state, scroller);
  const focusActive = useRowFocus(body, state.active, (index) => virtualizer.scrollToIndex(index));

  const actions: GridActions = {
    pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2),
    count,
    mark: onMark,
    copy: onCopy,
    scrollSideways: (pixels) => scroller.current?.scrollBy({ left: pixels }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (onGridKey(event, state, actions)) event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const index = indexAt(event.target);
    if (index === null || window.getSelection()?.isCollapsed === false) return;
    const isBox = event.target instanceof Element && event.target.closest('[data-select]') !== null;
    if (event.shiftKey) state.extend(index);
    else if (isBox || event.ctrlKey || event.metaKey) state.toggle(index);
    else {
      state.open(index);
      return;
    }
    state.move(index);
  };
  // the focus came by other means than the keys above
  const onFocus = (event: FocusEvent): void => {
    const index = indexAt(event.target);
    if (index !== null && index !== state.active) state.move(index);
  };
  const isEmpty = grid.result?.count === 0;
  const Row = isNarrow ? RowCard : GridRowView;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Transactions"
      aria-rowcount={count + 1}
      aria-colcount={isNarrow ? 1 : columns.length}
      aria-multiselectable="true"
      aria-busy={grid.isStale}
      className="relative min-h-0 grow overflow-auto bg-surface"
    >
      <div style={isNarrow ? undefined : { minWidth: gridWidth }}>
        {isNarrow ? null : <GridHeader sort={sort} zone={zone} onSort={onSort} onEnterRows={focusActive} />}
        {isEmpty ? null : (
          <div
            ref={body}
            role="rowgroup"
            className="relative"
            style={{ height: virtualizer.getTotalSize() }}
            onKeyDown={onKeyDown}
            onClick={onClick}
            onFocus={onFocus}
          >
            {items.map(({ index, start }) => {
              const row = grid.result ? grid.cache.row(index) : undefined;
              return (
                <Row
                  key={index}
                  index={index}
                  row={row}
                  names={names}
                  zone={zone}
                  isActive={index === state.active}
                  isSelected={row !== undefined && state.selected.has(row.id)}
                  isOpen={index === state.openIndex}
                  top={start}
                />
              );
            })}
          </div>
        )}
      </div>
      {isEmpty ? <div className="sticky left-0">{empty}</div> : null}
    </div>
  );
}
