/** Which rows are selected: none, some that are known, or all there are but a few. */
export type RowSelection<Row> =
  | { kind: 'none' }
  | { kind: 'some'; rows: ReadonlyMap<string, Row> }
  | { kind: 'all'; except: ReadonlyMap<string, Row> };

export const noSelection = { kind: 'none' } as const;

export function isSelected<Row>(selection: RowSelection<Row>, key: string): boolean {
  if (selection.kind === 'all') return !selection.except.has(key);
  return selection.kind === 'some' && selection.rows.has(key);
}

export function selectionOf<Row>(rows: ReadonlyMap<string, Row>): RowSelection<Row> {
  return rows.size === 0 ? noSelection : { kind: 'some', rows };
}

function turned<Row>(rows: ReadonlyMap<string, Row>, key: string, row: Row): Map<string, Row> {
  const next = new Map(rows);
  if (!next.delete(key)) next.set(key, row);
  return next;
}

/** Adds a row to the selection, or takes it out. */
export function toggled<Row>(selection: RowSelection<Row>, key: string, row: Row): RowSelection<Row> {
  if (selection.kind === 'all') return { kind: 'all', except: turned(selection.except, key, row) };
  return selectionOf(turned(selection.kind === 'some' ? selection.rows : new Map(), key, row));
}
