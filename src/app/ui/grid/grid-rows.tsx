import { useEffect, useMemo, useState } from 'react';
import { afterPaint } from '#app/ui/after-paint.ts';
import { boundsOf, type CellPlace, type CellRange, rowEdges } from './cell-range.ts';
import { type DrawnRow, drawnRow, type RowsHere } from './drawn-rows.ts';
import { type CardLook, GridCardView } from './grid-card.tsx';
import type { ColumnStretch } from './column-places.ts';
import type { GridFrame } from './grid-frame.ts';
import { GridRowView } from './grid-row.tsx';
import type { GridSource } from './grid-source.ts';
import { isSelected, type RowSelection } from './row-selection.ts';
import { inOrder, isInOrder, noSlots, type RowSlots, slotsFor } from './row-slots.ts';

interface GridRowsProps<Row> {
  source: GridSource<Row>;
  /** The source's, so that its rows are looked at again. */
  version: number;
  /** The rows one sees. */
  visible: { first: number; last: number };
  /** The free columns one sees. */
  columns: ColumnStretch;
  /** The rows in view and some beyond. */
  first: number;
  last: number;
  count: number;
  /** Pixels. */
  rowHeight: number;
  shift: number;
  active: CellPlace;
  range: CellRange | null;
  selection: RowSelection<Row>;
  /** Rows are being selected by taps. */
  isSelecting: boolean;
  isOpen: boolean;
  frame: GridFrame<Row>;
  card: CardLook<Row> | null;
}

/** The rows that are drawn, and the one the keyboard is on. */
function drawnRows(first: number, last: number, active: number, count: number): number[] {
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return rows;
  return active < first ? [active, ...rows] : [...rows, active];
}

/** The rows to be drawn, by their places: those one sees at once, the others once those are painted. */
function useDrawn<Row>({ source, version, first, last, visible }: GridRowsProps<Row>): (index: number) => DrawnRow<Row> {
  // oxlint-disable-next-line react/exhaustive-deps -- the version stands for what the source gives
  const now = useMemo((): RowsHere<Row> => ({ first, rows: stretchOf(source, first, last) }), [source, version, first, last]);
  const [painted, setPainted] = useState(now);
  useEffect(() => (painted === now ? undefined : afterPaint(() => setPainted(now))), [painted, now]);
  return (index) => drawnRow({ now, painted, visible, rowOf: source.row }, index);
}

function stretchOf<Row>(source: GridSource<Row>, first: number, last: number): (Row | undefined)[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => source.row(first + at));
}

/** One stands still where nothing came for so long. Milliseconds. */
const restMs = 200;
/** Between two steps of putting elements in order, so that whoever scrolls on meets none on its way. Milliseconds. */
const stepMs = 32;

/** The elements of the rows that are drawn, handed on from those that leave; in the order of the rows once one stands still. */
function useSlots(rows: readonly number[], active: number): RowSlots {
  const [held, setHeld] = useState(noSlots);
  const next = slotsFor(held, rows);
  if (next !== held) setHeld(next);
  useEffect(() => {
    if (isInOrder(next)) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const stepIn = (ms: number): void => {
      timer = setTimeout(() => {
        // what is pressed is not taken from under the finger
        if (document.querySelector(':active')) stepIn(restMs);
        else setHeld((now) => inOrder(now, active));
      }, ms);
    };
    stepIn(next.isOrdering ? stepMs : restMs);
    return () => clearTimeout(timer);
  }, [next, active]);
  return next;
}

/** The rows of a grid that exist. Each is drawn again only when something of it changes. */
export function GridRows<Row>(props: GridRowsProps<Row>) {
  const rowAt = useDrawn(props);
  const { source, first, last, count, rowHeight, shift, active, range, selection, columns, frame, card, isSelecting, isOpen } = props;
  const bounds = range ? boundsOf(range) : null;
  const { rows, slots } = useSlots(drawnRows(first, last, active.row, count), active.row);
  return rows.map((index, at) => {
    const slot = slots[at];
    const { row, spareRow } = rowAt(index);
    const isActive = index === active.row;
    const common = {
      index,
      row,
      top: index * rowHeight + shift,
      isSelected: row !== undefined && isSelected(selection, source.keyOf(row)),
      isOpen: isOpen && isActive,
    };
    if (card)
      return (
        <GridCardView key={slot} {...common} look={card} isActive={isActive} isSelectable={frame.gutter > 0} isSelecting={isSelecting} />
      );
    const edges = rowEdges(bounds, index);
    return (
      <GridRowView
        key={slot}
        {...common}
        spareRow={spareRow}
        firstSeen={columns.first}
        lastSeen={columns.last}
        frame={frame}
        edges={edges}
        activeColumn={isActive ? active.column : -1}
        firstInRange={edges === null || !bounds ? -1 : bounds.first}
        lastInRange={edges === null || !bounds ? -1 : bounds.last}
      />
    );
  });
}
