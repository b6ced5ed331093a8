import type { SortStep } from '#domain/sorting.ts';

/** A column as far as words of an order name it. */
export interface SortLabel<Field extends string> {
  label: string;
  sort?: Field | undefined;
}

/** The head of the column that sorts by a field. */
export function sortLabel<Field extends string>(columns: readonly SortLabel<Field>[], field: Field): string {
  return columns.find((column) => column.sort === field)?.label ?? field;
}

export function directionWord({ ascending }: Pick<SortStep<string>, 'ascending'>): 'ascending' | 'descending' {
  return ascending ? 'ascending' : 'descending';
}

/** The order of a list, to be read out. */
export function orderWords<Field extends string>(columns: readonly SortLabel<Field>[], sort: readonly SortStep<Field>[]): string {
  const steps = sort.map((step) => `${sortLabel(columns, step.field)} ${directionWord(step)}`);
  return steps.length === 0 ? 'Usual order' : `Sorted by ${steps.join(', then ')}`;
}
