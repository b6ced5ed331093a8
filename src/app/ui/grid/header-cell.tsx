import type { MouseEvent, PointerEvent } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import { ariaKeys } from '#app/ui/chords.ts';
import { DownIcon } from '#app/ui/icons.tsx';
import type { DrawnColumn } from './grid-frame.ts';
import { headKeys } from './grid-keys.ts';
import { SortSign } from './sort-sign.tsx';

interface HeaderCellProps<Row> {
  drawn: DrawnColumn<Row>;
  isFree: boolean;
  /** The part of the order that is this column's, and its number among several. */
  step: SortStep<string> | undefined;
  order: number | null;
  isTabStop: boolean;
  /** Where a dragged column would come to stand: before or after this one. */
  drop: 'before' | 'after' | null;
  onSort: (adds: boolean) => void;
  onFocus: () => void;
  onMenu: (at: { x: number; y: number }) => void;
  onGrab: (event: PointerEvent) => void;
  onResize: (event: PointerEvent) => void;
  onFit: () => void;
}

function placeBelow(event: MouseEvent): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}

/** The head of a column: a click sorts, its edge resizes, dragging it moves the column, its menu does all of that by keys. */
export function HeaderCell<Row>({ drawn, isFree, step, order, isTabStop, drop, ...on }: HeaderCellProps<Row>) {
  const { column, index, left, width } = drawn;
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={column.sort === undefined ? undefined : step ? (step.ascending ? 'ascending' : 'descending') : 'none'}
      data-head={column.key}
      style={{ width, left: isFree ? left : undefined }}
      onContextMenu={(event) => {
        event.preventDefault();
        on.onMenu({ x: event.clientX, y: event.clientY });
      }}
      className={`group/head isolate flex h-full min-w-0 shrink-0 items-center ${isFree ? 'absolute top-0' : 'relative'}`}
    >
      <button
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-keyshortcuts={ariaKeys(headKeys.menu)}
        title={`${column.label}${column.sort === undefined ? '' : '. Click sorts, with Shift after the others'}. Alt+Down opens the menu`}
        onFocus={on.onFocus}
        onClick={(event) => on.onSort(event.shiftKey)}
        onPointerDown={on.onGrab}
        className={`ring-inner flex h-full w-full min-w-0 items-center gap-1 px-3 select-none hover:text-ink ${column.isNumber ? 'flex-row-reverse' : ''} ${column.hasUnit ? 'pr-[84px]' : ''} ${step ? 'text-ink' : ''}`}
      >
        <span data-label="true" className="truncate">
          {column.label}
        </span>
        <SortSign step={step} order={order} />
      </button>
      <button
        type="button"
        aria-hidden="true"
        tabIndex={-1}
        onClick={(event) => on.onMenu(placeBelow(event))}
        className={`absolute inset-y-1 hidden w-5 items-center justify-center rounded-sm bg-subtle text-muted group-hover/head:flex hover:bg-hover hover:text-ink print:hidden ${column.isNumber ? 'left-1' : 'right-2'}`}
      >
        <DownIcon />
      </button>
      <span
        aria-hidden="true"
        onPointerDown={on.onResize}
        onDoubleClick={on.onFit}
        className="absolute inset-y-0 right-0 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-2 after:right-0 after:w-px after:bg-line-strong hover:after:inset-y-0 hover:after:w-0.5 hover:after:bg-primary"
      />
      {drop ? (
        <span aria-hidden="true" className={`absolute inset-y-0 z-10 w-0.5 bg-primary ${drop === 'before' ? '-left-px' : '-right-px'}`} />
      ) : null}
    </div>
  );
}
