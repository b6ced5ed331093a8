import { IconButton } from '#app/ui/button.tsx';
import { OrderSaid, SortSign } from '#app/ui/sort-sign.tsx';
import { shownSort, type SortedTable } from './table-column.ts';

interface SortMenuProps<Row, Field extends string> extends SortedTable<Row, Field> {
  /** How far it stands from the edges. */
  className?: string;
}

/** The columns of a plain table as a choice, above the cards that take its place on a narrow screen. */
export function SortMenu<Row, Field extends string>({ columns, onSort, className = 'page-inset', ...table }: SortMenuProps<Row, Field>) {
  const sort = shownSort({ columns, sort: table.sort });
  const [first, ...others] = sort;
  const choose = (value: string): void => {
    const field = columns.find((column) => column.sort === value)?.sort;
    onSort(field === undefined ? [] : [{ field, ascending: true }]);
  };
  return (
    <div className={`flex min-w-0 items-center gap-2 pb-2 text-grid print:hidden ${className}`}>
      <label className="flex min-w-0 items-center gap-2 text-muted">
        Sort
        <select
          value={first?.field ?? ''}
          onChange={(event) => choose(event.target.value)}
          className="h-7 min-w-0 rounded border border-control bg-surface px-1.5 text-ink"
        >
          <option value="">Usual order</option>
          {columns.map(({ label, sort: field }) =>
            field === undefined ? null : (
              <option key={field} value={field}>
                {label}
              </option>
            ),
          )}
        </select>
      </label>
      {first ? (
        <IconButton
          className="size-7 border border-control"
          label={first.ascending ? 'Sort descending' : 'Sort ascending'}
          onClick={() => onSort([{ ...first, ascending: !first.ascending }, ...others])}
        >
          <SortSign step={first} order={null} />
        </IconButton>
      ) : null}
      {others.map((step) => (
        <span key={step.field} className="flex min-w-0 items-center gap-1 text-small text-muted">
          <span className="truncate">then {columns.find((column) => column.sort === step.field)?.label}</span>
          <SortSign step={step} order={null} />
        </span>
      ))}
      <OrderSaid columns={columns} sort={sort} />
    </div>
  );
}
