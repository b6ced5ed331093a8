import { memo } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PendingMark } from '#replica/overlay.ts';
import type { GridRow } from '#workers/start.ts';
import { markWords } from '#app/shell/outbox-words.ts';
import { CheckIcon } from '#app/ui/icons.tsx';
import { columns, gridTemplate } from './columns.ts';
import type { Names } from './use-names.ts';

/** The small sign of an edit that has not settled, with its story as tooltip. */
export function PendingSign({ mark, zone }: { mark: PendingMark; zone: TimeZone }) {
  const words = markWords(mark, zone);
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className={`inline-block size-2.5 shrink-0 rounded-full border-2 ${needsPerson(mark.state) ? 'border-warn bg-warn' : 'border-dotted border-link'}`}
    />
  );
}

export interface RowProps {
  index: number;
  /** Undefined while its window loads. */
  row: GridRow | undefined;
  names: Names;
  zone: TimeZone;
  isActive: boolean;
  isSelected: boolean;
  isOpen: boolean;
  top: number;
}

const skeletonWidths = [112, 128, 84, 72, 40, 120, 64, 76, 90, 56, 48, 120, 120, 120, 140];

export function rowLook({ isSelected, isOpen }: Pick<RowProps, 'isSelected' | 'isOpen'>): string {
  const look = isSelected ? 'bg-selected' : isOpen ? 'bg-hover' : 'bg-surface hover:bg-hover';
  return `${look} ${isOpen ? 'shadow-[inset_3px_0_0_var(--primary)]' : ''}`;
}

/** The box that shows a row's selection; the row itself says it to assistive technology. */
export function SelectBox({ isSelected }: { isSelected: boolean }) {
  return (
    <span
      data-select="true"
      aria-hidden="true"
      className={`flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-sm border ${isSelected ? 'border-primary bg-primary text-on-primary' : 'border-line-strong text-transparent group-hover:border-control'}`}
    >
      <CheckIcon />
    </span>
  );
}

/** One row of the grid. Clicks and keys are heard by the grid, so that a row is drawn again only when it changes. */
export const GridRowView = memo(function GridRowView({ index, row, names, zone, isActive, isSelected, isOpen, top }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: gridTemplate }}
      className={`group ring-row absolute top-0 left-0 grid h-8 w-full cursor-default border-b border-line text-grid outline-none ${rowLook({ isSelected, isOpen })}`}
    >
      {columns.map((column, at) => {
        const text = row ? column.cell(row, names, zone) : null;
        return (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={at + 1}
            title={text?.full}
            className={`flex min-w-0 items-center gap-2 px-3 ${column.isNumber ? 'figures justify-end' : ''} ${at === 0 ? 'figures sticky left-0 z-10 bg-inherit shadow-[inset_-1px_0_0_var(--line)]' : ''}`}
          >
            {at === 0 ? <SelectBox isSelected={isSelected} /> : null}
            {text ? (
              <>
                <span className={`truncate ${column.isMono ? 'font-mono text-small' : ''}`}>{text.shown}</span>
                {text.unit === undefined ? null : <span className="w-14 shrink-0 truncate text-small text-muted">{text.unit}</span>}
              </>
            ) : (
              <span aria-hidden="true" className="bones h-2.5 max-w-full" style={{ width: skeletonWidths[at] }} />
            )}
            {at === 0 && row?.pending ? <PendingSign mark={row.pending} zone={zone} /> : null}
          </div>
        );
      })}
    </div>
  );
});
