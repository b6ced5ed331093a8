import type { SortStep } from '#domain/sorting.ts';
import { AscendingIcon, DescendingIcon } from '#app/ui/icons.tsx';

interface SortSignProps {
  /** Undefined where a column is no part of the order. */
  step: Pick<SortStep<string>, 'ascending'> | undefined;
  /** Its number among several; null where it is the only one. */
  order: number | null;
}

/** The arrow of a column that sorts, with its number among several. */
export function SortSign({ step, order }: SortSignProps) {
  if (!step) return null;
  return (
    <span className="flex shrink-0 items-center">
      {step.ascending ? <AscendingIcon /> : <DescendingIcon />}
      {order === null ? null : <span className="figures text-mini">{order}</span>}
    </span>
  );
}
