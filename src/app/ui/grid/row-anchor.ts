import type { GridSource } from './grid-source.ts';

/** The keys of a row and of the two beside it; null where there is none, or none that is here. */
export interface RowAnchor {
  before: string | null;
  at: string | null;
  after: string | null;
}

/** A row of the list, and by what it is found again. */
export interface Place {
  row: number;
  keys: RowAnchor;
}

type Rows<Row> = Pick<GridSource<Row>, 'count' | 'row' | 'keyOf'>;

/** How far from where it was a row is looked for, in rows. */
const reach = 500;

function keyAt<Row>(rows: Rows<Row>, index: number): string | null {
  const row = index < 0 ? undefined : rows.row(index);
  return row === undefined ? null : rows.keyOf(row);
}

export function anchorAt<Row>(rows: Rows<Row>, index: number): RowAnchor {
  return { before: keyAt(rows, index - 1), at: keyAt(rows, index), after: keyAt(rows, index + 1) };
}

/** The nearest place of a row among those that are here. */
function nearest<Row>(rows: Rows<Row>, index: number, key: string | null): number | null {
  if (key === null) return null;
  for (let away = 1; away <= reach; away += 1) {
    if (keyAt(rows, index + away) === key) return index + away;
    if (keyAt(rows, index - away) === key) return index - away;
  }
  return null;
}

/**
 * Where one is now who was on a row at an index: with the row, where rows came or went above it; where it left, or moved to another place
 * by itself, as an edit makes it do, on the one that came after it. Null while the row there is on its way.
 */
export function anchoredIndex<Row>(rows: Rows<Row>, index: number, { before, at, after }: RowAnchor): number | null {
  const here = keyAt(rows, index);
  if (here === null && index < (rows.count() ?? 0)) return null;
  if (at === null || here === at) return index;
  const found = nearest(rows, index, at);
  if (found !== null) {
    const isAfter = after === null ? found + 1 === rows.count() : keyAt(rows, found + 1) === after;
    if (isAfter || (before !== null && keyAt(rows, found - 1) === before)) return found;
  }
  return here !== null && here === after ? index : (nearest(rows, index, after) ?? index);
}
