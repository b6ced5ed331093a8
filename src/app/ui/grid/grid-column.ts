import type { ReactNode } from 'react';
import type { ColumnUsual } from './column-layout.ts';

/** What a cell shows, and what it gives when copied. */
export interface GridCell {
  shown: string;
  /** Quieter text after it: the unit of an amount, in a column that has units. */
  unit?: string;
  /** Everything there is to know of it, where `shown` is shortened. */
  full?: string;
  /** For a copy; `full` or `shown` where absent. */
  plain?: string;
  /** Colour of a small dot before the unit, or the text where there is none, in a column that has dots: a second sign beside the words. */
  dot?: string | undefined;
}

/** A column of a grid of `Row`s, sorted by a field of `Field`. */
export interface GridColumn<Row, Field extends string = string> extends ColumnUsual {
  /** Its head. */
  label: string;
  /** Absent where the column sorts nothing. */
  sort?: Field;
  isNumber?: boolean;
  /** The unit of an amount stands in a column of its own when copied. */
  hasUnit?: boolean;
  /** A small dot may stand before its text or unit. */
  hasDot?: boolean;
  /** Leads elsewhere and says nothing of its row: paper does without. */
  isWay?: boolean;
  /** Class names of its text. */
  look?: string;
  cell: (row: Row) => GridCell;
  /** What it is sorted by where a copy says something else of it; empty where nothing is known. For rows that are all here. */
  rank?: (row: Row) => string;
  /** How it is drawn, where its text alone is not enough. A control in it has `tabIndex` -1: Enter on the cell works it. */
  draw?: (row: Row, index: number) => ReactNode;
}

/** What a cell is in a copy or a filter: everything there is of it, a number without grouping. */
export function plainOf({ shown, full, plain }: GridCell): string {
  return plain ?? full ?? shown;
}

/** Gives each row's cells, made once for each row object. */
export function cellTexts<Row extends object>(columns: readonly GridColumn<Row>[]): (row: Row, key: string) => GridCell {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const made = new WeakMap<Row, Map<string, GridCell>>();
  return (row, key) => {
    let cells = made.get(row);
    if (!cells) {
      cells = new Map();
      made.set(row, cells);
    }
    let cell = cells.get(key);
    if (!cell) {
      cell = byKey.get(key)?.cell(row) ?? { shown: '' };
      cells.set(key, cell);
    }
    return cell;
  };
}
