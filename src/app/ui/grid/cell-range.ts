/** A cell by its row and its number among the shown columns. */
export interface CellPlace {
  row: number;
  column: number;
}

/** A rectangle of cells, from where it was begun to where it was drawn. */
export interface CellRange {
  from: CellPlace;
  to: CellPlace;
}

export interface CellBounds {
  top: number;
  bottom: number;
  first: number;
  last: number;
}

export function boundsOf({ from, to }: CellRange): CellBounds {
  return {
    top: Math.min(from.row, to.row),
    bottom: Math.max(from.row, to.row),
    first: Math.min(from.column, to.column),
    last: Math.max(from.column, to.column),
  };
}

/** Which edges of a range a row forms: 1 the upper, 2 the lower, 3 both; null for a row outside. */
export function rowEdges(bounds: CellBounds | null, row: number): 0 | 1 | 2 | 3 | null {
  if (!bounds || row < bounds.top || row > bounds.bottom) return null;
  const isTop = row === bounds.top;
  const isBottom = row === bounds.bottom;
  return isTop && isBottom ? 3 : isTop ? 1 : isBottom ? 2 : 0;
}
