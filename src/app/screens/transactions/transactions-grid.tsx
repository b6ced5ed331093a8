import { type ReactNode, useCallback, useMemo } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import type { SortField, SortState } from '#domain/transaction-filter.ts';
import type { GridRow } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import type { ColumnLayout } from '#app/ui/grid/column-layout.ts';
import { Grid } from '#app/ui/grid/grid.tsx';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import type { GridState } from '#app/ui/grid/grid-state.ts';
import type { MenuChoice } from '#app/ui/grid/popup-menu.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { rowHeights } from '#app/preferences.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { RowCard } from './row-card.tsx';
import { rowKeys } from './transaction-keys.ts';
import type { QuerySource } from './query-source.ts';
import { useGridAnswer } from './use-grid-query.ts';
import type { Names } from './use-names.ts';

interface TransactionsGridProps {
  source: QuerySource;
  state: GridState<GridRow>;
  columns: readonly GridColumn<GridRow, SortField>[];
  /** The columns with the names that are not read yet; null where they are. */
  fullColumns: (() => Promise<readonly GridColumn<GridRow, SortField>[]>) | null;
  layout: ColumnLayout;
  onLayout: (layout: ColumnLayout | null) => void;
  names: Names;
  zone: TimeZone;
  sort: readonly SortState[];
  isNarrow: boolean;
  onSort: (sort: SortState[]) => void;
  /** The list is of several entities. */
  saysEntity: boolean;
  onMark: (isTransfer: boolean) => void;
  /** Goes to the edit of a row that waits. */
  onEdit: (row: GridRow) => void;
  onCellFilter: (key: string, row: GridRow, not: boolean) => void;
  canFilter: (key: string, row: GridRow, not: boolean) => boolean;
  filterWords: (key: string, row: GridRow) => string | null;
  cellActions: (key: string, row: GridRow) => readonly MenuChoice[];
  /** What stands in place of the rows when there are none. */
  empty: ReactNode;
}

/** Pixels. */
const cardHeight = 64;

/** The grid of transactions. */
export function TransactionsGrid({ source, state, names, zone, isNarrow, saysEntity, onMark, onEdit, ...rest }: TransactionsGridProps) {
  const { notices } = useServices();
  const { density } = usePreferences();
  const { answered, isStale } = useGridAnswer(source);
  const card = useMemo(
    () => (isNarrow ? { height: cardHeight, draw: (row: GridRow) => <RowCard {...{ row, names, zone, saysEntity }} /> } : null),
    [isNarrow, names, zone, saysEntity],
  );
  const mark = useCallback(
    (row: GridRow) =>
      row.pending ? <EditSign mark={row.pending} zone={zone} row={{ noun: 'transactions', id: row.id }} isInCell /> : null,
    [zone],
  );
  const editOfActive = (): void => {
    const row = source.row(state.snapshot().active.row);
    if (row) onEdit(row);
  };
  return (
    <Grid<GridRow, SortField>
      label="Transactions"
      source={source}
      state={state}
      listKey={answered}
      rowHeight={rowHeights[density]}
      card={card}
      mark={mark}
      isBusy={isStale}
      isSelectable
      canOpen
      actions={[
        { key: rowKeys.transfer.keys[0], words: rowKeys.transfer.words, run: () => onMark(true) },
        { key: rowKeys.notTransfer.keys[0], words: rowKeys.notTransfer.words, run: () => onMark(false) },
        { key: rowKeys.edit.keys[0], words: rowKeys.edit.words, run: editOfActive },
      ]}
      say={notices.notice}
      printHint="To print all of them choose Print under Export, above the list."
      {...rest}
    />
  );
}
