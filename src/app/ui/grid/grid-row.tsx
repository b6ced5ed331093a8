import { memo } from 'react';
import { CheckIcon } from '#app/ui/icons.tsx';
import type { GridCell } from './grid-column.ts';
import type { DrawnColumn, GridFrame } from './grid-frame.ts';

export interface RowLook {
  isSelected: boolean;
  isOpen: boolean;
}

/** What of a range of cells lies in a row. */
interface RangeInRow {
  /** Its edges in this row; null outside of it. */
  edges: 0 | 1 | 2 | 3 | null;
  firstInRange: number;
  lastInRange: number;
}

export interface GridRowProps<Row> extends RowLook, RangeInRow {
  index: number;
  /** Undefined while it is on its way. */
  row: Row | undefined;
  frame: GridFrame<Row>;
  /** Pixels from the top of the element that stands for all rows. */
  top: number;
  /** The column the keyboard is on, in the row it is on; else -1. */
  activeColumn: number;
}

export function rowLook({ isSelected, isOpen }: RowLook): string {
  return isSelected ? 'bg-selected' : isOpen ? 'bg-hover' : 'bg-surface hover:bg-hover';
}

/** The bar at the left of the row that is open. */
export function OpenBar() {
  return <span aria-hidden="true" className="absolute inset-y-0 left-0 w-[3px] bg-primary" />;
}

/** The box that shows a row's selection; the row itself says it to assistive technology. */
export function SelectBox({ isSelected }: { isSelected: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`flex size-4 shrink-0 items-center justify-center rounded-sm border ${isSelected ? 'border-primary bg-primary text-on-primary' : 'border-line-strong text-transparent group-hover:border-control [@media(hover:none)]:border-control'}`}
    >
      <CheckIcon />
    </span>
  );
}

function Dot({ colour }: { colour: string }) {
  return <span aria-hidden="true" className="dot size-2 shrink-0 rounded-full" style={{ background: colour }} />;
}

/** The parts of a cell that is more than a text: a dot, an amount and its unit, a sign after it. */
function CellParts({ cell, look, closes }: { cell: GridCell; look: string; closes: string }) {
  return (
    <>
      {cell.dot !== undefined && cell.unit === undefined ? <Dot colour={cell.dot} /> : null}
      <span className={`truncate ${look} ${closes}`}>{cell.shown}</span>
      {cell.unit === undefined ? null : (
        <span className="flex w-16 shrink-0 items-center gap-1.5 text-small text-muted">
          {cell.dot === undefined ? null : <Dot colour={cell.dot} />}
          <span className="truncate">{cell.unit}</span>
        </span>
      )}
    </>
  );
}

/** Lines around a range of cells, drawn by the cells at its edges. */
function rangeLines({ edges, firstInRange, lastInRange }: RangeInRow, column: number): string | undefined {
  if (edges === null) return undefined;
  const lines = [
    edges === 1 || edges === 3 ? 'inset 0 1px 0 var(--primary)' : '',
    edges === 2 || edges === 3 ? 'inset 0 -1px 0 var(--primary)' : '',
    column === firstInRange ? 'inset 1px 0 0 var(--primary)' : '',
    column === lastInRange ? 'inset -1px 0 0 var(--primary)' : '',
  ].filter(Boolean);
  return lines.join(', ') || undefined;
}

interface CellProps<Row> {
  drawn: DrawnColumn<Row>;
  isFree: boolean;
  in: GridRowProps<Row>;
}

/** A cell that is a text and nothing else is one element: most are, and every element costs while one scrolls. */
function Cell<Row>({ drawn, isFree, in: line }: CellProps<Row>) {
  const { column, index, left, width } = drawn;
  const { row, frame, edges, firstInRange, lastInRange } = line;
  const cell = row ? frame.textOf(row, column.key) : null;
  const isInRange = edges !== null && index >= firstInRange && index <= lastInRange;
  const isActive = line.activeColumn === index;
  const mark = index === 0 && row ? frame.mark?.(row) : null;
  const own = row && column.draw ? column.draw(row, line.index) : null;
  const isPlain = cell !== null && own === null && !mark && cell.unit === undefined && cell.dot === undefined;
  const closes = column.isNumber && cell && /\d$/.test(cell.shown) ? 'closes' : '';
  const align = column.isNumber ? (isPlain ? 'figures text-right' : 'figures justify-end') : '';
  const inside = isPlain ? `truncate ${column.look ?? ''} ${closes}` : 'flex items-center gap-2';
  return (
    <div
      role="gridcell"
      aria-colindex={index + 1}
      aria-selected={isInRange ? true : undefined}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      title={isActive ? cell?.full : undefined}
      style={{ width, left: isFree ? left : undefined, boxShadow: isInRange ? rangeLines(line, index) : undefined }}
      className={`ring-cell h-full min-w-0 shrink-0 px-3 outline-none ${inside} ${align} ${isFree ? 'absolute top-0' : ''} ${isInRange ? 'bg-range' : ''}`}
    >
      {cell === null ? <span aria-hidden="true" className="bone h-2.5" style={{ width: `${45 + ((index * 29) % 40)}%` }} /> : null}
      {isPlain ? cell.shown : own}
      {cell && !isPlain && own === null ? <CellParts cell={cell} look={column.look ?? ''} closes={closes} /> : null}
      {mark}
    </div>
  );
}

function RowView<Row>(props: GridRowProps<Row>) {
  const { index, frame, top, isSelected, isOpen } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={frame.gutter > 0 ? isSelected : undefined}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, width: frame.width, height: frame.rowHeight, lineHeight: `${frame.rowHeight - 1}px` }}
      className={`group absolute top-0 left-0 cursor-default border-b contain-layout border-line text-grid select-none ${rowLook({ isSelected, isOpen })}`}
    >
      <div
        role="presentation"
        className={`sticky left-0 z-10 flex h-full w-max bg-inherit ${frame.pinned.length > 0 ? 'shadow-[inset_-1px_0_0_var(--line)]' : ''}`}
      >
        {frame.gutter > 0 ? (
          <span
            data-select="true"
            aria-hidden="true"
            className="flex h-full cursor-pointer items-center pl-3"
            style={{ width: frame.gutter }}
          >
            <SelectBox isSelected={isSelected} />
          </span>
        ) : null}
        {frame.pinned.map((drawn) => (
          <Cell key={drawn.key} drawn={drawn} isFree={false} in={props} />
        ))}
        {isOpen ? <OpenBar /> : null}
      </div>
      {frame.free.map((drawn) => (
        <Cell key={drawn.key} drawn={drawn} isFree in={props} />
      ))}
    </div>
  );
}

/** One row. Clicks and keys are heard by the grid, so that a row is drawn again only when something of it changes. */
export const GridRowView = memo(RowView) as typeof RowView;
