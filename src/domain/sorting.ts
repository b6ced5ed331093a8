import { decimal } from './amounts.ts';

/** One field a list is sorted by. */
export interface SortStep<Field extends string> {
  field: Field;
  ascending: boolean;
}

/**
 * The next order after a column head was chosen: first ascending, next descending, third none.
 * @param adds keep the other fields and change only this one's part (shift); else it is the only one.
 * @source specification section 4
 */
export function nextSort<Field extends string>(current: readonly SortStep<Field>[], field: Field, adds = false): SortStep<Field>[] {
  const held = current.find((step) => step.field === field);
  const next = held ? (held.ascending ? { field, ascending: false } : null) : { field, ascending: true };
  if (!adds) return next ? [next] : [];
  if (!held) return next ? [...current, next] : [...current];
  return current.flatMap((step) => (step.field === field ? (next ? [next] : []) : [step]));
}

/** An order as an address holds it: fields with commas, a minus before one is descending; absent where there is none. */
export function sortText(sort: readonly SortStep<string>[]): string | undefined {
  return sort.map(({ field, ascending }) => `${ascending ? '' : '-'}${field}`).join(',') || undefined;
}

/** The order an address holds; what is none of the fields is left out. */
export function sortSteps<Field extends string>(text: string | undefined, fields: readonly Field[]): SortStep<Field>[] {
  return (text ?? '').split(',').flatMap((part) => {
    const field = fields.find((known) => known === part.replace(/^-/, ''));
    return field ? [{ field, ascending: !part.startsWith('-') }] : [];
  });
}

/** What a row says in a column it can be sorted by. */
export interface SortColumn<Row> {
  /** It says a decimal, which is compared by its value to the last digit. */
  isNumber?: boolean;
  /** Empty where nothing is known. */
  plain: (row: Row) => string;
}

type Comparison = (one: number, other: number) => number;

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares places of a list by what stands there; null is last in either direction. */
function comparisonOf<Key>(keys: readonly (Key | null)[], compare: (one: Key, other: Key) => number, ascending: boolean): Comparison {
  return (at, otherAt) => {
    const [one, other] = [keys[at] ?? null, keys[otherAt] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return ascending ? compare(one, other) : compare(other, one);
  };
}

/**
 * Rows in an order: numbers by value, words as people read them, what is empty last in either direction. Rows of one rank
 * keep the order they came in.
 * @param columnOf the column of a field; a step of a field without one counts nothing.
 */
export function sortedRows<Row, Field extends string>(
  rows: readonly Row[],
  sort: readonly SortStep<Field>[],
  columnOf: (field: Field) => SortColumn<Row> | undefined,
): readonly Row[] {
  const comparisons = sort.flatMap(({ field, ascending }) => {
    const column = columnOf(field);
    if (!column) return [];
    const texts = rows.map(column.plain);
    const known = <Key>(read: (text: string) => Key): (Key | null)[] => texts.map((text) => (text === '' ? null : read(text)));
    return column.isNumber
      ? comparisonOf(known(decimal), (one, other) => one.comparedTo(other) ?? 0, ascending)
      : comparisonOf(known(String), words.compare, ascending);
  });
  if (comparisons.length === 0) return rows;
  return rows
    .map((row, at) => ({ row, at }))
    .toSorted((a, b) => comparisons.reduce((order, compare) => order || compare(a.at, b.at), 0))
    .map(({ row }) => row);
}
