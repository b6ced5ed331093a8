import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { CheckIcon } from '#app/ui/icons.tsx';
import type { DrawnColumn } from './grid-frame.ts';
import { isPlain, oneLine, paintCells, type Painting } from './paint-cells.ts';

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

interface GridRowProps<Row> extends RowLook, RangeInRow, Painting<Row> {
  index: number;
  /** Pixels from the top of the element that stands for all rows. */
  top: number;
}

export function rowLook({ isSelected, isOpen }: RowLook, plain = 'bg-surface hover:bg-hover'): string {
  return isSelected ? 'bg-selected' : isOpen ? 'bg-hover' : plain;
}

/** What lies over its row looks as that. Inherited, the browser would work out the styles of all in a row whenever the row is moved. */
const pinnedPlain = 'bg-surface group-hover:bg-hover';

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
  /** Room before it where columns are not drawn. Pixels. */
  before: number;
  isActive: boolean;
  isInRange: boolean;
  lines: string | undefined;
  /** Its text is not written into it, but into an element beside a sign. */
  isMarked: boolean;
  /** What its column draws, or the row's sign. */
  own: ReactNode;
}

/** A cell's place and what surrounds it. Its texts are written by `paintCells`, unless its column draws itself. */
function CellView<Row>({ drawn: { column, index, width }, before, isActive, isInRange, lines, isMarked, own }: CellProps<Row>) {
  const isOneText = isPlain(column);
  const inside = isOneText ? `${oneLine} ${column.look ?? ''}` : 'flex min-w-0 items-center gap-2';
  const isWritten = !column.draw && !isMarked;
  const align = column.isNumber ? `figures ${isWritten && isOneText ? 'text-right' : 'justify-end'}` : '';
  return (
    <div
      role="gridcell"
      aria-colindex={index + 1}
      aria-selected={isInRange ? true : undefined}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      data-painted={isWritten ? true : undefined}
      style={{ width, marginLeft: before || undefined, boxShadow: lines }}
      className={`ring-cell h-full min-w-0 shrink-0 px-3 outline-none ${isWritten ? inside : 'flex items-center gap-2'} ${align} ${isInRange ? 'bg-range' : ''}`}
    >
      {isMarked && !column.draw ? <span data-painted className={inside} /> : null}
      {own}
    </div>
  );
}

const Cell = memo(CellView) as typeof CellView;

/** What is not a text in a cell: what its column draws, and the row's sign in the first one. */
function ownOf<Row>({ column, index: at }: DrawnColumn<Row>, { drawn, index, sign }: CellsProps<Row>): ReactNode {
  const mark = at === 0 ? sign : null;
  if (!column.draw) return mark;
  if (!drawn) return <span aria-hidden="true" className="bone h-2.5 w-1/2" />;
  return (
    <>
      {column.draw(drawn, index)}
      {mark}
    </>
  );
}

interface CellsProps<Row> extends RangeInRow {
  columns: readonly DrawnColumn<Row>[];
  /** Where what lies before them in the row ends. Pixels. */
  from: number;
  hasSign: boolean;
  sign: ReactNode;
  /** The row, where some of the columns draw themselves. */
  drawn: Row | undefined;
  /** Its place, for the same; else -1. */
  index: number;
  activeColumn: number;
}

function CellsView<Row>(props: CellsProps<Row>): ReactNode {
  const { columns, from, hasSign, edges, firstInRange, lastInRange, activeColumn } = props;
  let end = from;
  return columns.map((drawn) => {
    const { key, index, left, width } = drawn;
    const before = left - end;
    end = left + width;
    const isInRange = edges !== null && index >= firstInRange && index <= lastInRange;
    return (
      <Cell
        // one that goes first or ceases to is made anew: its text moves beside the row's sign
        key={index === 0 ? `${key} first` : key}
        drawn={drawn}
        before={before}
        isActive={activeColumn === index}
        isInRange={isInRange}
        lines={isInRange ? rangeLines(props, index) : undefined}
        isMarked={index === 0 && hasSign}
        own={ownOf(drawn, props)}
      />
    );
  });
}

/** Cells of a row, in their order. Where they are texts alone another row changes nothing of them but what `paintCells` writes. */
const Cells = memo(CellsView) as typeof CellsView;

function RowView<Row>(props: GridRowProps<Row>) {
  const { index, row, spareRow, firstSeen, lastSeen, frame, top, isSelected, isOpen, edges, firstInRange, lastInRange, activeColumn } =
    props;
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (line.current) paintCells(line.current, { row, spareRow, firstSeen, lastSeen, frame, activeColumn });
  }, [row, spareRow, firstSeen, lastSeen, frame, activeColumn]);
  const lastPinned = frame.pinned.at(-1);
  const pinnedEnd = lastPinned ? lastPinned.left + lastPinned.width : frame.gutter;
  const cells = {
    hasSign: frame.mark !== undefined,
    sign: (row && frame.mark?.(row)) ?? null,
    drawn: frame.areDrawn ? row : undefined,
    index: frame.areDrawn ? index : -1,
    edges,
    firstInRange,
    lastInRange,
    activeColumn,
  };
  return (
    <div
      ref={line}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={frame.gutter > 0 ? isSelected : undefined}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, width: frame.width, height: frame.rowHeight, lineHeight: `${frame.rowHeight - 1}px` }}
      className={`group absolute top-0 left-0 flex cursor-default border-b contain-layout border-line text-grid select-none ${rowLook({ isSelected, isOpen })}`}
    >
      <div
        role="presentation"
        className={`relative left-0 z-10 flex h-full w-max shrink-0 in-data-sideways:sticky ${rowLook({ isSelected, isOpen }, pinnedPlain)} ${frame.pinned.length > 0 ? 'shadow-[inset_-1px_0_0_var(--line)]' : ''}`}
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
        <Cells columns={frame.pinned} from={frame.gutter} {...cells} />
        {isOpen ? <OpenBar /> : null}
      </div>
      <Cells columns={frame.free} from={pinnedEnd} {...cells} />
    </div>
  );
}

/** One row. Clicks and keys are heard by the grid, so that a row is drawn again only when something of it changes. */
export const GridRowView = memo(RowView) as typeof RowView;
