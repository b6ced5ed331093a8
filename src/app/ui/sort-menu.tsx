import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useState } from 'react';
import { nextSort, type SortStep } from '#domain/sorting.ts';
import { Button } from './button.tsx';
import { SortIcon } from './icons.tsx';
import { SortSign } from './sort-sign.tsx';
import { directionWord, orderWords, type SortLabel, sortLabel } from './sort-words.ts';

interface SortMenuProps<Field extends string> {
  columns: readonly SortLabel<Field>[];
  sort: readonly SortStep<Field>[];
  onSort: (sort: SortStep<Field>[]) => void;
}

interface StandingProps<Field extends string> extends Pick<SortMenuProps<Field>, 'columns' | 'sort'> {
  isOpen: boolean;
}

/** What the button says of the order: its first column, and how many follow; all of it for who hears it. */
function Standing<Field extends string>({ columns, sort, isOpen }: StandingProps<Field>) {
  const [told, setTold] = useState(sort);
  // while one chooses it stays as it was: a wider one would move the menu from under the finger
  if (!isOpen && told !== sort) setTold(sort);
  const [first, ...more] = told;
  if (!first) return 'Sort';
  return (
    <>
      <span className="min-w-0 truncate">
        Sort: {sortLabel(columns, first.field)}
        <span className="sr-only">
          {[` ${directionWord(first)}`, ...more.map((step) => `${sortLabel(columns, step.field)} ${directionWord(step)}`)].join(', then ')}
        </span>
      </span>
      <SortSign step={first} order={null} />
      {more.length > 0 ? (
        <span aria-hidden="true" className="figures">
          +{more.length}
        </span>
      ) : null}
    </>
  );
}

interface SortLineProps {
  label: string;
  step: SortStep<string> | undefined;
  /** Its place in the order, and of how many. */
  at: number;
  count: number;
  onNext: () => void;
}

function SortLine({ label, step, at, count, onNext }: SortLineProps) {
  const isOneOfMany = step !== undefined && count > 1;
  const words = step ? directionWord(step) : 'not sorted';
  return (
    <li>
      <button
        type="button"
        onClick={onNext}
        className={`flex min-h-9 w-full items-center gap-2 rounded-sm px-2 text-left text-grid hover:bg-hover ${step ? 'bg-selected' : ''}`}
      >
        <span className="min-w-0 grow truncate">{label}</span>
        <span className="sr-only">{isOneOfMany ? `${words}, ${at + 1} of ${count}` : words}</span>
        <span aria-hidden="true" className="text-small text-soft">
          {step ? words : null}
        </span>
        <span aria-hidden="true" className="flex w-6 shrink-0">
          <SortSign step={step} order={isOneOfMany ? at + 1 : null} />
        </span>
      </button>
    </li>
  );
}

/** The order of a list whose rows are cards and have no heads: every column that sorts, one after another, and the way back to the usual order. */
export function SortMenu<Field extends string>({ columns, sort, onSort }: SortMenuProps<Field>) {
  const isUsual = sort.length === 0;
  return (
    <Popover className="print:hidden">
      {({ open }) => (
        <>
          <PopoverButton as={Button} size="small" title={orderWords(columns, sort)} className="max-w-56">
            <SortIcon />
            <Standing columns={columns} sort={sort} isOpen={open} />
          </PopoverButton>
          <PopoverPanel
            focus
            role="dialog"
            aria-label="Sort"
            anchor={{ to: 'bottom start', gap: 4, padding: 8 }}
            className="z-30 flex w-72 max-w-[92vw] flex-col rounded bg-raised text-ink shadow-pop"
          >
            <ul aria-label="Sort by" className="min-h-0 overflow-y-auto p-1">
              {columns.map(({ label, sort: field }) => {
                if (field === undefined) return null;
                const at = sort.findIndex((step) => step.field === field);
                return (
                  <SortLine
                    key={field}
                    label={label}
                    step={sort[at]}
                    at={at}
                    count={sort.length}
                    onNext={() => onSort(nextSort(sort, field, true))}
                  />
                );
              })}
            </ul>
            <div className="flex items-center justify-between gap-2 border-t border-line p-2">
              <span className="pl-1 text-small text-muted">Up, down, not at all; several together</span>
              <Button
                size="small"
                look="quiet"
                // one that has nothing to do keeps the focus
                aria-disabled={isUsual || undefined}
                className={isUsual ? 'cursor-not-allowed! opacity-55' : ''}
                onClick={() => onSort([])}
              >
                Usual order
              </Button>
            </div>
          </PopoverPanel>
        </>
      )}
    </Popover>
  );
}
