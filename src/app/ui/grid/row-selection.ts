import type { GridSource } from './grid-source.ts';

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

/** The same selection with the rows as they are now, of those that came again; itself where none differs. */
export function withRows<Row>(selection: RowSelection<Row>, { held, keyOf }: Pick<GridSource<Row>, 'held' | 'keyOf'>): RowSelection<Row> {
  if (selection.kind === 'none') return selection;
  const named = selection.kind === 'some' ? selection.rows : selection.except;
  if (named.size === 0) return selection;
  const next = new Map(named);
  let isOther = false;
  for (const row of held()) {
    const key = keyOf(row);
    const before = next.get(key);
    if (before === undefined || before === row) continue;
    next.set(key, row);
    isOther = true;
  }
  if (!isOther) return selection;
  return selection.kind === 'some' ? { kind: 'some', rows: next } : { kind: 'all', except: next };
}

/** Adds a row to the selection, or takes it out. */
export function toggled<Row>(selection: RowSelection<Row>, key: string, row: Row): RowSelection<Row> {
  if (selection.kind === 'all') return { kind: 'all', except: turned(selection.except, key, row) };
  return selectionOf(turned(selection.kind === 'some' ? selection.rows : new Map(), key, row));
}
