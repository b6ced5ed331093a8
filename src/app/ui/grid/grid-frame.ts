import type { ReactNode } from 'react';
import type { ColumnPlaces, PlacedColumn } from './column-places.ts';
import type { GridCell, GridColumn } from './grid-column.ts';

/** A column that is drawn. */
export interface DrawnColumn<Row> extends PlacedColumn {
  column: GridColumn<Row>;
}

/** What all rows that are drawn have in common. It stays the same object while nothing of it changes. */
export interface GridFrame<Row> {
  pinned: readonly DrawnColumn<Row>[];
  /** The free columns in view, and the one the keyboard is on. */
  free: readonly DrawnColumn<Row>[];
  /** Of the whole row, in pixels. */
  width: number;
  rowHeight: number;
  /** Room before the first column for the box that selects; 0 where rows are not selected. */
  gutter: number;
  textOf: (row: Row, key: string) => GridCell;
  /** A sign at the end of a row's first cell. */
  mark: ((row: Row) => ReactNode) | undefined;
  /** Some of the columns draw themselves: their cells are drawn again with every row. */
  areDrawn: boolean;
}

interface FrameParts<Row> extends Pick<GridFrame<Row>, 'rowHeight' | 'gutter' | 'textOf' | 'mark'> {
  columns: readonly GridColumn<Row>[];
  places: ColumnPlaces;
  firstColumn: number;
  lastColumn: number;
  /** Drawn wherever they are, so that the focus is never lost. */
  keep: readonly number[];
}

export function frameOf<Row>({ columns, places, firstColumn, lastColumn, keep, ...rest }: FrameParts<Row>): GridFrame<Row> {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const drawn = (placed: readonly PlacedColumn[]): DrawnColumn<Row>[] =>
    placed.flatMap((place) => {
      const column = byKey.get(place.key);
      return column ? [{ ...place, column }] : [];
    });
  const inView = places.free.filter(({ index }) => (index >= firstColumn && index <= lastColumn) || keep.includes(index));
  const [pinned, free] = [drawn(places.pinned), drawn(inView)];
  const areDrawn = [...pinned, ...free].some(({ column }) => column.draw !== undefined);
  return { pinned, free, width: places.width, areDrawn, ...rest };
}

/** Every shown column in its order, whether in view or not. */
export function shownOf<Row>(columns: readonly GridColumn<Row>[], places: ColumnPlaces): DrawnColumn<Row>[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  return [...places.pinned, ...places.free].flatMap((place) => {
    const column = byKey.get(place.key);
    return column ? [{ ...place, column }] : [];
  });
}
