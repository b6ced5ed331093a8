import { type KeyboardEvent, useRef, useState } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import { nextSort } from '#domain/sorting.ts';
import { headOf } from '#domain/transaction-cells.ts';
import type { SortState } from '#domain/transaction-filter.ts';
import { AscendingIcon, DescendingIcon } from '#app/ui/icons.tsx';
import { columns, gridTemplate } from './columns.ts';

interface GridHeaderProps {
  sort: readonly SortState[];
  zone: TimeZone;
  onSort: (sort: SortState[]) => void;
  /** Down from the header goes into the rows. */
  onEnterRows: () => void;
}

/** Column heads that sort in three steps: ascending, descending, none. Left and right move between them. */
export function GridHeader({ sort, zone, onSort, onEnterRows }: GridHeaderProps) {
  const [at, setAt] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const focus = (index: number): void => {
    const button = row.current?.querySelectorAll('button')[index];
    if (!button) return;
    setAt(index);
    button.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') focus(at + 1);
    else if (event.key === 'ArrowLeft') focus(at - 1);
    else if (event.key === 'ArrowDown') onEnterRows();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={row}
      role="row"
      aria-rowindex={1}
      onKeyDown={onKeyDown}
      style={{ gridTemplateColumns: gridTemplate }}
      className="sticky top-0 z-20 grid h-8 border-b border-line-strong bg-subtle text-small font-medium text-muted"
    >
      {columns.map((column, index) => {
        const { sort: field } = column;
        const state = sort.find((step) => step.field === field);
        const label = headOf(column, zone);
        return (
          <div
            key={column.key}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={state ? (state.ascending ? 'ascending' : 'descending') : 'none'}
            className={`flex min-w-0 items-center ${index === 0 ? 'sticky left-0 z-10 bg-subtle shadow-[inset_-1px_0_0_var(--line)]' : ''}`}
          >
            <button
              type="button"
              tabIndex={index === at ? 0 : -1}
              onFocus={() => setAt(index)}
              onClick={(event) => onSort(nextSort(sort, field, event.shiftKey))}
              className={`ring-inner flex h-full w-full min-w-0 items-center gap-1 px-3 hover:text-ink ${column.isNumber ? 'flex-row-reverse' : ''} ${index === 0 ? 'pl-9' : ''} ${state ? 'text-ink' : ''}`}
            >
              <span className="truncate">{label}</span>
              {state ? state.ascending ? <AscendingIcon /> : <DescendingIcon /> : null}
            </button>
          </div>
        );
      })}
    </div>
  );
}
