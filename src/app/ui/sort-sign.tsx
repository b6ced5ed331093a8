import type { SortStep } from '#domain/sorting.ts';
import { AscendingIcon, DescendingIcon } from './icons.tsx';
import { directionWord, orderWords, type SortLabel } from './sort-words.ts';

interface SortSignProps {
  /** The part of the order that is a column's; none where the list is not sorted by it. */
  step: SortStep<string> | undefined;
  /** Its number among several. */
  order: number | null;
}

/** Which way a column sorts, beside its head. */
export function SortSign({ step, order }: SortSignProps) {
  if (!step) return null;
  return (
    <span className="flex shrink-0 items-center">
      {step.ascending ? <AscendingIcon /> : <DescendingIcon />}
      {order === null ? null : <span className="figures text-mini">{order}</span>}
    </span>
  );
}

/** The same for who hears the head. */
export function ariaSortOf(step: SortStep<string> | undefined): 'ascending' | 'descending' | 'none' {
  if (!step) return 'none';
  return directionWord(step);
}

/** The part of an order that is a field's, and its number where there are several. */
export function placeInOrder<Field extends string>(sort: readonly SortStep<Field>[], field: Field | undefined) {
  const at = sort.findIndex((step) => step.field === field);
  return { step: sort[at], order: sort.length > 1 && at >= 0 ? at + 1 : null };
}

interface OrderSaidProps<Field extends string> {
  columns: readonly SortLabel<Field>[];
  sort: readonly SortStep<Field>[];
}

/** Reads out the order of a list when it changes. */
export function OrderSaid<Field extends string>({ columns, sort }: OrderSaidProps<Field>) {
  return (
    <span aria-live="polite" className="sr-only">
      {orderWords(columns, sort)}
    </span>
  );
}
