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

/** The rows a selection names: those that are selected or, where all others are, those that are not. */
export function namedRows<Row>(selection: RowSelection<Row>): ReadonlyMap<string, Row> {
  if (selection.kind === 'some') return selection.rows;
  return selection.kind === 'all' ? selection.except : new Map();
}

/**
 * The same selection with the rows that were asked for as they are now, without those that are in the list no longer; itself where none
 * differs.
 * @param found the asked ones that are in the list.
 */
export function withRows<Row>(
  selection: RowSelection<Row>,
  { asked, found }: { asked: ReadonlySet<string>; found: readonly Row[] },
  { keyOf, isSame }: Pick<GridSource<Row>, 'keyOf' | 'isSame'>,
): RowSelection<Row> {
  const now = new Map(found.map((row) => [keyOf(row), row]));
  let isOther = false;
  const next = new Map<string, Row>();
  for (const [key, held] of namedRows(selection)) {
    const row = now.get(key);
    const isHeld = !asked.has(key) || (row !== undefined && isSame(held, row));
    isOther ||= !isHeld;
    if (isHeld) next.set(key, held);
    else if (row !== undefined) next.set(key, row);
  }
  if (!isOther || selection.kind === 'none') return selection;
  return selection.kind === 'some' ? selectionOf(next) : { kind: 'all', except: next };
}

/** Adds a row to the selection, or takes it out. */
export function toggled<Row>(selection: RowSelection<Row>, key: string, row: Row): RowSelection<Row> {
  if (selection.kind === 'all') return { kind: 'all', except: turned(selection.except, key, row) };
  return selectionOf(turned(selection.kind === 'some' ? selection.rows : new Map(), key, row));
}
