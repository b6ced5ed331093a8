import type { ReactNode } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { CardLook } from './grid-card.tsx';
import type { GridColumn } from './grid-column.ts';
import type { RowAction } from './grid-keys.ts';
import type { GridSource } from './grid-source.ts';
import type { GridState } from './grid-state.ts';
import type { MenuChoice } from './popup-menu.tsx';
import type { Say } from './use-range-copy.ts';

export interface GridProps<Row extends object, Field extends string> {
  /** What is listed, as it is read out. */
  label: string;
  /** Every column there is, the same array while nothing of it changes. */
  columns: readonly GridColumn<Row, Field>[];
  /** Reads what the cells of these columns cannot say yet, for a copy; null where they say all. */
  fullColumns?: (() => Promise<readonly GridColumn<Row, Field>[]>) | null;
  layout: ColumnLayout;
  /** Null puts every column back to what it usually is. */
  onLayout: (layout: ColumnLayout | null) => void;
  source: GridSource<Row>;
  /** Changes when another list is shown: it begins at its top, with nothing selected. */
  listKey: string;
  state: GridState<Row>;
  sort: readonly SortStep<Field>[];
  onSort: (sort: SortStep<Field>[]) => void;
  /** Pixels. */
  rowHeight: number;
  /** Rows as cards, on a narrow screen; null for columns. */
  card: CardLook<Row> | null;
  /** A newer answer is on its way. */
  isBusy?: boolean;
  isSelectable?: boolean;
  canOpen?: boolean;
  /** A sign at the end of a row's first cell. */
  mark?: (row: Row) => ReactNode;
  actions?: readonly RowAction[];
  /** Narrows the list to a cell's value, or to all others. */
  onCellFilter?: (columnKey: string, row: Row, not: boolean) => void;
  /** Whether it can be narrowed so; absent where it always can. */
  canFilter?: (columnKey: string, row: Row, not: boolean) => boolean;
  /** What a list narrowed to a cell's value has in common, in words; null where that is the value as it is shown. */
  filterWords?: (columnKey: string, row: Row) => string | null;
  /** What else can be done with a cell, at the end of its menu. */
  cellActions?: (columnKey: string, row: Row) => readonly MenuChoice[];
  say: Say;
  /** How to print all of the list, where the browser's own way to print has only the rows in view. */
  printHint?: string;
  /** What stands in place of the rows when there are none. */
  empty: ReactNode;
}
