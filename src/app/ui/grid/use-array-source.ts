import { useLayoutEffect, useState } from 'react';
import { sortedRows, type SortStep } from '#domain/sorting.ts';
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

/** The rows a list shows, in its order; rows of one rank keep the order they came in. */
export function listed<Row, Field extends string>({ rows = [], columns, sort, text }: ArrayList<Row, Field>): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  const found =
    wanted === '' ? rows : rows.filter((row) => columns.some((column) => plainOf(column.cell(row)).toLowerCase().includes(wanted)));
  return sortedRows(found, sort, (field) => {
    const column = columns.find((one) => one.sort === field);
    return column && { isNumber: column.isNumber === true, plain: column.rank ?? ((row) => plainOf(column.cell(row))) };
  });
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
