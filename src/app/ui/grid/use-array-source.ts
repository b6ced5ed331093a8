import { useLayoutEffect, useState } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import { type GridColumn, plainOf } from './grid-column.ts';
import type { GridSource } from './grid-source.ts';
import { createListeners } from '#app/listeners.ts';

interface ArrayList<Row, Field extends string> {
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined;
  columns: readonly GridColumn<Row, Field>[];
  sort: readonly SortStep<Field>[];
  /** Part of what any column says, whatever its case; empty keeps every row. */
  text: string;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by value, words as people read them, what is empty last in either direction. */
function comparedBy<Row, Field extends string>(column: GridColumn<Row, Field>, ascending: boolean): (a: Row, b: Row) => number {
  return (a, b) => {
    const [one, other] = [plainOf(column.cell(a)), plainOf(column.cell(b))];
    if (one === '' || other === '') return Number(one === '') - Number(other === '');
    const order = column.isNumber ? Number(one) - Number(other) : collator.compare(one, other);
    return ascending ? order : -order;
  };
}

/** The rows a list shows, in its order; rows of one rank keep the order they came in. */
export function listed<Row, Field extends string>({ rows = [], columns, sort, text }: ArrayList<Row, Field>): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  const found =
    wanted === '' ? rows : rows.filter((row) => columns.some((column) => plainOf(column.cell(row)).toLowerCase().includes(wanted)));
  const orders = sort.flatMap(({ field, ascending }) => {
    const column = columns.find((one) => one.sort === field);
    return column ? [comparedBy(column, ascending)] : [];
  });
  if (orders.length === 0) return found;
  return found.toSorted((a, b) => orders.reduce((order, compare) => order || compare(a, b), 0));
}

/** A source of rows that are all here. */
export interface ArraySource<Row> extends GridSource<Row> {
  show: (rows: readonly Row[] | null) => void;
}

export function createArraySource<Row>(keyOf: (row: Row) => string): ArraySource<Row> {
  const listeners = createListeners();
  let shown: readonly Row[] | null = null;
  let version = 0;
  return {
    count: () => shown?.length ?? null,
    isCounted: () => shown !== null,
    row: (index) => shown?.[index],
    rowNow: (index) => shown?.[index],
    list: () => '',
    keyOf,
    want: () => undefined,
    stretch: async (offset, limit) => ({ revision: version, rows: shown?.slice(offset, offset + limit) ?? [] }),
    pick: async (keys) => shown?.filter((row) => keys.has(keyOf(row))) ?? null,
    isSame: Object.is,
    subscribe: listeners.subscribe,
    version: () => version,
    revision: () => version,
    show: (rows) => {
      shown = rows;
      version += 1;
      listeners.tell();
    },
  };
}

/** Rows that are all here, sorted and narrowed on the spot, as a grid takes them. */
export function useArraySource<Row, Field extends string>(list: ArrayList<Row, Field>, keyOf: (row: Row) => string): GridSource<Row> {
  const { rows, columns, sort, text } = list;
  const [source] = useState(() => createArraySource(keyOf));
  useLayoutEffect(() => {
    source.show(rows === undefined ? null : listed({ rows, columns, sort, text }));
  }, [source, rows, columns, sort, text]);
  return source;
}
