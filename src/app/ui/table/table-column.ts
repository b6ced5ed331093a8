import { type SortColumn, sortedRows, type SortStep } from '#domain/sorting.ts';

interface Head {
  label: string;
  /** Its cells, and so its head, stand at the right. */
  isRight?: boolean;
  /** Class names of its head. */
  look?: string;
}

interface SortingHead<Row, Field extends string> extends Head, SortColumn<Row> {
  sort: Field;
}

/** A column of a plain table of `Row`s, sorted by a field of `Field`, or by none. */
export type TableColumn<Row, Field extends string> = SortingHead<Row, Field> | (Head & { sort?: undefined });

/** The order a plain table is in, its usual one where it is empty, and how it changes. */
export interface TableOrder<Field extends string> {
  sort: readonly SortStep<Field>[];
  onSort: (sort: SortStep<Field>[]) => void;
}

/** What a head needs to sort: all columns, since one shows its number among them. */
export interface SortedTable<Row, Field extends string> extends TableOrder<Field> {
  columns: readonly TableColumn<Row, Field>[];
}

function columnOf<Row, Field extends string>(
  columns: readonly TableColumn<Row, Field>[],
  field: Field,
): SortingHead<Row, Field> | undefined {
  return columns.find((column): column is SortingHead<Row, Field> => column.sort === field);
}

/** An order without what no column of the table is for, as some show only where they say something, each field once. */
export function shownSort<Row, Field extends string>({ columns, sort }: Omit<SortedTable<Row, Field>, 'onSort'>): SortStep<Field>[] {
  return sort.filter(({ field }, at) => columnOf(columns, field) && sort.findIndex((step) => step.field === field) === at);
}

/** The rows of a plain table in its order. */
export function rowsInOrder<Row, Field extends string>(
  rows: readonly Row[],
  { columns, sort }: Omit<SortedTable<Row, Field>, 'onSort'>,
): readonly Row[] {
  return sortedRows(rows, sort, (field) => columnOf(columns, field));
}

/** A moment as a column sorts by it, from ISO text; empty where there is none. */
export function momentText(iso: string | null): string {
  return iso === null ? '' : String(Date.parse(iso));
}
