import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type ColumnLayout, shownColumns } from './column-layout.ts';
import { placeColumns } from './column-places.ts';
import { cellTexts } from './grid-column.ts';
import { frameOf, shownOf } from './grid-frame.ts';
import type { GridProps } from './grid-props.ts';
import { createScrollAnchor } from './scroll-anchor.ts';
import { useCellFocus } from './use-cell-focus.ts';
import { useExpectedRows } from './use-expected-rows.ts';
import { useFreshList } from './use-fresh-list.ts';
import { useGridViewport, useWantedRows } from './use-grid-viewport.ts';

/** Pixels. */
const headHeight = 32;
const gutterWidth = 36;
/** Skeleton rows shown while nobody knows how many there are. */
const skeletonRows = 24;

const noPlaces = { pinned: [], free: [], pinnedWidth: 0, width: 0 };

/** Everything a grid is drawn from: what is in view, where the keyboard is, and what all rows have in common. */
export function useGrid<Row extends object, Field extends string>(props: GridProps<Row, Field>) {
  const { columns, layout, source, state, card, rowHeight, isSelectable = false, mark } = props;
  useSyncExternalStore(source.subscribe, source.version);
  const { active, range, selection, isSelecting, isOpen, follows } = useSyncExternalStore(state.subscribe, state.snapshot);
  const [draft, setDraft] = useState<ColumnLayout | null>(null);
  const [headAt, setHeadAt] = useState(0);
  const [width, setWidth] = useState(0);
  const body = useRef<HTMLDivElement>(null);

  const gutter = isSelectable ? gutterWidth : 0;
  const shown = useMemo(() => shownColumns(draft ?? layout), [draft, layout]);
  const places = useMemo(() => (card ? noPlaces : placeColumns(shown, gutter, width)), [card, shown, gutter, width]);
  const count = source.count();
  const shape = {
    count: count ?? skeletonRows,
    rowHeight: card?.height ?? rowHeight,
    headHeight: card ? 0 : headHeight,
    places,
  };
  const { viewport, view, scroller } = useGridViewport(shape, setWidth);
  useWantedRows(source.want, view, shape.count);

  const last = card ? 0 : shown.length - 1;
  const place = { row: Math.max(0, Math.min(active.row, shape.count - 1)), column: Math.min(active.column, last) };
  useEffect(() => source.subscribe(state.follow), [source, state]);
  const anchor = useMemo(() => createScrollAnchor(source, viewport), [source, viewport]);
  useEffect(() => source.subscribe(anchor.onChange), [source, anchor]);
  useLayoutEffect(() => anchor.onDrawn(view.first, view.last));
  const head = Math.min(headAt, last);
  const textOf = useMemo(() => cellTexts(columns), [columns]);
  const { firstColumn, lastColumn } = view;
  const common = { columns, places, firstColumn, lastColumn, rowHeight, gutter, textOf, mark };
  const parts = [columns, places, firstColumn, lastColumn, rowHeight, gutter, textOf, mark];
  // oxlint-disable-next-line react/exhaustive-deps -- the list names what `common` is made of
  const frame = useMemo(() => frameOf({ ...common, keep: [place.column] }), [...parts, place.column]);
  useExpectedRows(source, frame, viewport);
  const headFrame = frame.free.some((column) => column.index === head) ? frame : frameOf({ ...common, keep: [place.column, head] });

  const isEmpty = count === 0;
  const focus = useCellFocus({ grid: scroller, body, active: place, follows, viewport, places, isEmpty });
  useFreshList(props.listKey, () => {
    state.restart();
    viewport.toTop();
  });
  const revealHead = (index: number): void => {
    const column = [...places.pinned, ...places.free][index];
    if (column) viewport.revealColumn(column);
  };

  return {
    isEmpty,
    shape,
    places,
    frame,
    headFrame,
    viewport,
    view,
    scroller,
    body,
    textOf,
    focus,
    active: place,
    head,
    revealHead,
    setHeadAt,
    setDraft,
    range,
    selection,
    isSelecting,
    isOpen,
    last,
    layout: draft ?? layout,
    shown: useMemo(() => shownOf(columns, places), [columns, places]),
  };
}
