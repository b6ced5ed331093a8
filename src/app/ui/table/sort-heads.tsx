import { nextSort } from '#domain/sorting.ts';
import { ariaSortOf, placeInOrder, SortSign } from '#app/ui/sort-sign.tsx';
import { shownSort, type SortedTable } from './table-column.ts';

interface SortHeadsProps<Row, Field extends string> extends SortedTable<Row, Field> {
  /** Class names of every head. */
  className: string;
}

/** The heads of a plain table's columns. A click sorts by one: up, down, not at all; with Shift after the others. */
export function SortHeads<Row, Field extends string>({ columns, className, onSort, ...table }: SortHeadsProps<Row, Field>) {
  const sort = shownSort({ columns, sort: table.sort });
  return columns.map(({ label, sort: field, isRight = false, look = '' }) => {
    const classes = `${className} ${isRight ? 'text-right' : 'text-left'} ${look}`;
    if (field === undefined)
      return (
        <th key={label} scope="col" className={classes}>
          {label}
        </th>
      );
    const { step, order } = placeInOrder(sort, field);
    return (
      <th key={label} scope="col" aria-sort={ariaSortOf(step)} className={classes}>
        <button
          type="button"
          title={`${label}. Click sorts, with Shift after the others`}
          onClick={(event) => onSort(nextSort(sort, field, event.shiftKey))}
          className={`relative h-6 rounded-sm font-medium select-none hover:text-ink ${step ? 'text-ink' : ''}`}
        >
          {label}
          {/* beside the words, in the room between columns, so that no column becomes wider by it */}
          <span
            className={`absolute inset-y-0 flex items-center print:static print:inline-flex ${isRight ? 'right-full pr-0.5' : 'left-full pl-0.5'}`}
          >
            <SortSign step={step} order={order} />
          </span>
        </button>
      </th>
    );
  });
}
