import type { GridSource } from './grid-source.ts';

/** Rows by their keys. One that left the list is null: should it come back it is what it was, chosen or left out. */
export type NamedRows<Row> = ReadonlyMap<string, Row | null>;

/** Which rows are selected: none, some that are known, or all there are but a few. */
export type RowSelection<Row> = { kind: 'none' } | { kind: 'some'; rows: NamedRows<Row> } | { kind: 'all'; except: NamedRows<Row> };

export const noSelection = { kind: 'none' } as const;

export function isSelected<Row>(selection: RowSelection<Row>, key: string): boolean {
  if (selection.kind === 'all') return !selection.except.has(key);
  return selection.kind === 'some' && selection.rows.has(key);
}

export function selectionOf<Row>(rows: NamedRows<Row>): RowSelection<Row> {
  return rows.size === 0 ? noSelection : { kind: 'some', rows };
}

function turned<Row>(rows: NamedRows<Row>, key: string, row: Row): NamedRows<Row> {
  const next = new Map(rows);
  if (!next.delete(key)) next.set(key, row);
  return next;
}

/** The rows a selection names: those that are selected or, where all others are, those that are not. */
export function namedRows<Row>(selection: RowSelection<Row>): NamedRows<Row> {
  if (selection.kind === 'some') return selection.rows;
  return selection.kind === 'all' ? selection.except : new Map();
}

/** Those of them that are in the list. */
export function listedRows<Row>(rows: NamedRows<Row>): Row[] {
  return [...rows.values()].filter((row) => row !== null);
}

/**
 * The same selection with the rows that were asked for as they are now; itself where none differs.
 * @param found the asked ones that are in the list.
 */
export function withRows<Row>(
  selection: RowSelection<Row>,
  { asked, found }: { asked: ReadonlySet<string>; found: readonly Row[] },
  { keyOf, isSame }: Pick<GridSource<Row>, 'keyOf' | 'isSame'>,
): RowSelection<Row> {
  const now = new Map(found.map((row) => [keyOf(row), row]));
  let isOther = false;
  const next = new Map<string, Row | null>();
  for (const [key, held] of namedRows(selection)) {
    const row = now.get(key) ?? null;
    const isHeld = !asked.has(key) || (held !== null && row !== null ? isSame(held, row) : held === row);
    isOther ||= !isHeld;
    next.set(key, isHeld ? held : row);
  }
  if (!isOther || selection.kind === 'none') return selection;
  return selection.kind === 'some' ? { kind: 'some', rows: next } : { kind: 'all', except: next };
}

/** The selection without some rows: what was done with them is done. Of all there are nothing stays. */
export function without<Row>(selection: RowSelection<Row>, keys: ReadonlySet<string>): RowSelection<Row> {
  if (selection.kind !== 'some') return noSelection;
  return selectionOf(new Map([...selection.rows].filter(([key]) => !keys.has(key))));
}

/** Adds a row to the selection, or takes it out. */
export function toggled<Row>(selection: RowSelection<Row>, key: string, row: Row): RowSelection<Row> {
  if (selection.kind === 'all') return { kind: 'all', except: turned(selection.except, key, row) };
  return selectionOf(turned(selection.kind === 'some' ? selection.rows : new Map(), key, row));
}
