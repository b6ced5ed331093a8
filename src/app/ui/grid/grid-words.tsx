import type { SortStep } from '#domain/sorting.ts';
import { Button } from '#app/ui/button.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { focusGrid } from './focus-grid.ts';
import type { GridColumn } from './grid-column.ts';

type Sortable<Row, Field extends string> = Pick<GridColumn<Row, Field>, 'label' | 'sort'>;

/** The head of the column that sorts by a field. */
export function sortLabel<Row, Field extends string>(columns: readonly Sortable<Row, Field>[], field: Field): string {
  return columns.find((column) => column.sort === field)?.label ?? field;
}

export function directionWord({ ascending }: Pick<SortStep<string>, 'ascending'>): string {
  return ascending ? 'ascending' : 'descending';
}

/** The order of a list, to be read out. */
export function orderWords<Row, Field extends string>(columns: readonly Sortable<Row, Field>[], sort: readonly SortStep<Field>[]): string {
  const steps = sort.map((step) => `${sortLabel(columns, step.field)} ${directionWord(step)}`);
  return steps.length === 0 ? 'Usual order' : `Sorted by ${steps.join(', then ')}`;
}

/** How far a long copy is. */
export function CopyProgress({ progress, onCancel }: { progress: { done: number; count: number } | null; onCancel: () => void }) {
  const onFocus = useLostFocus(() => focusGrid());
  if (!progress || progress.count < 1_000) return null;
  return (
    <div
      role="status"
      onFocus={onFocus}
      className="absolute inset-x-0 bottom-3 z-30 mx-auto flex w-max max-w-[90%] items-center gap-3 rounded bg-raised py-1.5 pr-1.5 pl-3 text-grid shadow-pop"
    >
      <span className="figures">
        Copying {progress.done.toLocaleString('en-US')} of {progress.count.toLocaleString('en-US')} rows
      </span>
      <Button size="small" look="quiet" aria-keyshortcuts="Escape" onClick={onCancel}>
        Cancel (Esc)
      </Button>
    </div>
  );
}
