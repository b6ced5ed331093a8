import { type ReactNode, useMemo, useState } from 'react';
import type { LocalKey } from './kept-keys.ts';
import { pause } from './pause.ts';
import { rowHeights } from './preferences.ts';
import { useServices } from './services.tsx';
import { EditSign } from './shell/edit-sign.tsx';
import { ColumnsMenu } from './ui/grid/columns-menu.tsx';
import { Grid } from './ui/grid/grid.tsx';
import type { CardLook } from './ui/grid/grid-card.tsx';
import type { GridColumn } from './ui/grid/grid-column.ts';
import type { RowAction } from './ui/grid/grid-keys.ts';
import { createGridState } from './ui/grid/grid-state.ts';
import type { MenuChoice } from './ui/grid/popup-menu.tsx';
import { useArraySource } from './ui/grid/use-array-source.ts';
import { useColumnLayout } from './ui/grid/use-column-layout.ts';
import { SortMenu } from './ui/sort-menu.tsx';
import type { TableOrder } from './ui/table/table-column.ts';
import { useIsNarrow } from './ui/use-media-query.ts';
import { type ShownRow, useEditWay } from './use-edit-way.ts';
import { usePreferences } from './use-preferences.ts';

interface ListGridProps<Row extends object, Field extends string> extends TableOrder<Field> {
  /** What is listed, as it is read out. */
  label: string;
  /** In the usual order. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Part of what any column says; empty shows every row. */
  text?: string;
  /** Says which list it is: another one begins at its top. */
  listKey: string;
  /** The same array while nothing of it changes. */
  columns: readonly GridColumn<Row, Field>[];
  /** Where this browser remembers which of them are shown, and how. */
  columnsKey: LocalKey;
  /** What stands above the rows, before the choice of columns, or of an order where they are cards. */
  bar: ReactNode;
  /** A row on a narrow screen. */
  card: CardLook<Row>;
  /** How the edits of a row stand, for a sign at the end of its first cell and the way to its edit; absent where nothing edits its rows. */
  edited?: (row: Row) => ShownRow;
  /** What can be done with a row, in the menu of each of its cells. */
  rowActions?: (row: Row) => readonly MenuChoice[];
  /** What stands in place of the rows when there are none. */
  empty?: ReactNode;
}

/** The sign of a row's edits that have not settled, in a cell of a list. */
export function ListSign({ row: { noun, id, pending } }: { row: ShownRow }) {
  const { zone } = usePreferences();
  return pending ? <EditSign mark={pending} zone={zone} row={{ noun, id }} isInCell /> : null;
}

/** A list whose rows are all on the page: sorted, narrowed and drawn as every grid is, its columns as the person chose them. */
export function ListGrid<Row extends object, Field extends string>(props: ListGridProps<Row, Field>) {
  const { rows, keyOf, text = '', columns, columnsKey, sort, onSort, bar, card, edited, rowActions, empty = null } = props;
  const { local, notices } = useServices();
  const { density } = usePreferences();
  const isNarrow = useIsNarrow();
  const source = useArraySource({ rows, columns, sort, text }, keyOf);
  const [state] = useState(() => createGridState({ source, onTooMany: () => undefined, pause }));
  const editWay = useEditWay();
  const mark = useMemo(() => edited && ((row: Row) => <ListSign row={edited(row)} />), [edited]);
  const openEdit = (): void => {
    const row = source.row(state.snapshot().active.row);
    if (row && edited) editWay.open(edited(row));
  };
  const actions: RowAction[] = edited ? [{ key: 'e', words: 'Open its edit in Outbox', run: openEdit }] : [];
  const [layout, onLayout] = useColumnLayout(local, columnsKey, columns);
  return (
    <>
      <div className="page-inset flex items-center gap-4 pb-2 max-sm:flex-wrap max-sm:gap-y-2 print:block">
        {bar}
        {isNarrow ? (
          <SortMenu columns={columns} sort={sort} onSort={onSort} />
        ) : (
          <div className="ml-auto">
            <ColumnsMenu columns={columns} layout={layout} onLayout={onLayout} />
          </div>
        )}
      </div>
      <Grid<Row, Field>
        key={isNarrow ? 'cards' : 'rows'}
        label={props.label}
        {...{ columns, layout, onLayout, source, state, sort, onSort, empty }}
        listKey={`${props.listKey} ${JSON.stringify(sort)} ${text}`}
        rowHeight={rowHeights[density]}
        card={isNarrow ? card : null}
        mark={mark}
        actions={actions}
        cellActions={(_column, row) => [...(rowActions?.(row) ?? []), ...(edited ? editWay.choices(edited(row)) : [])]}
        say={notices.notice}
      />
    </>
  );
}
