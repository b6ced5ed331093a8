import { type ColumnPlaces, type ColumnStretch, freeInView, type PlacedColumn, revealedLeft } from './column-places.ts';
import { isStuck, moved, positionAt, revealed, type ScrollMap, scrollMap, type ScrollPlace, scrolled, settled } from './scroll-map.ts';
import { createListeners } from '#app/listeners.ts';

/** What of the list is drawn. It changes only when other rows or columns are. */
export interface GridView {
  /** Rows, first to last; last is before first where there are none. */
  first: number;
  last: number;
  /** The free columns, by their number among the shown ones. */
  firstColumn: number;
  lastColumn: number;
  /** What every row is shifted by, in pixels. */
  shift: number;
  /** Of the element that stands for all rows, in pixels. */
  height: number;
  /** Of the visible part, in pixels. */
  width: number;
}

/** The size of the list as it is now. */
export interface ViewShape {
  count: number;
  rowHeight: number;
  headHeight: number;
  places: ColumnPlaces;
}

/** The part of the element that is written to. */
export interface Scroller {
  scrollTop: number;
  scrollLeft: number;
}

/** Rows drawn beyond the visible ones, on either side. */
const spare = 10;
/** Rows come and go at least so many at a time, so that most steps of a scroll draw nothing. */
const stride = 4;
/**
 * Rows that come in a step of a scroll where those in sight need no more: else the frame after a late one, in which twice as many would
 * come, would be late, too.
 */
const mostAtOnce = 5;

/** Follows how a list is scrolled. It reads nothing of the page's layout but the scroll it is told. */
export interface GridViewport {
  snapshot: () => GridView;
  subscribe: (onChange: () => void) => () => void;
  shape: (next: ViewShape) => void;
  /** The size of the scrolled element's inside. */
  resize: (width: number, height: number) => void;
  scroll: (at: Readonly<Scroller>, isGesture: boolean) => void;
  /** The scrolling has come to rest. */
  rest: () => void;
  attach: (scroller: Scroller | null) => void;
  revealRow: (index: number) => void;
  revealColumn: (column: PlacedColumn) => void;
  toTop: () => void;
  /** The row at a height in the visible part of the rows, in pixels. */
  rowAt: (y: number) => number;
  /** The rows in view, without the spare ones. */
  visible: () => { first: number; last: number };
  /** The free columns in view, without the spare ones. */
  visibleColumns: () => ColumnStretch;
  /** Height of the rows above the visible part, in pixels. */
  position: () => number;
  /** Shows the rows below so many pixels of them. */
  moveTo: (position: number) => void;
  /** In pixels. */
  rowHeight: () => number;
  /** Rows a page key moves by. */
  pageRows: () => number;
  scrollLeft: () => number;
}

/** Where the drawn rows begin, when they began at `top` and should at `wanted`; those in sight are among them in any case. */
function stepTowards(wanted: number, top: number, most: number): number {
  const gap = Math.abs(wanted - top);
  if (gap < stride) return top;
  const step = Math.min(gap, Math.max(most, gap - spare));
  return top + Math.sign(wanted - top) * step;
}

function isSame(one: GridView, other: GridView): boolean {
  return (Object.keys(one) as (keyof GridView)[]).every((key) => one[key] === other[key]);
}

/** @param size of the visible part before it is known. */
export function createViewport(size = { width: 1_200, height: 800 }): GridViewport {
  const listeners = createListeners();
  let { width, height } = size;
  let shape: ViewShape = { count: 0, rowHeight: 1, headHeight: 0, places: { pinned: [], free: [], pinnedWidth: 0, width: 0 } };
  let map: ScrollMap = scrollMap(0, height);
  let place: ScrollPlace = { scrollTop: 0, shift: 0 };
  let left = 0;
  let scroller: Scroller | null = null;
  /** The first of the drawn rows; before the list where one sees its first ones. */
  let top = -spare;

  const roomForRows = (): number => Math.max(0, height - shape.headHeight);
  const visible = (): { first: number; last: number } => {
    const position = positionAt(place);
    const last = Math.ceil((position + roomForRows()) / shape.rowHeight) - 1;
    return { first: Math.max(0, Math.floor(position / shape.rowHeight)), last: Math.min(shape.count - 1, last) };
  };
  /** @param most rows that come, where those in sight need no more. */
  const look = (most: number): GridView => {
    top = stepTowards(Math.floor(positionAt(place) / shape.rowHeight) - spare, top, most);
    const inView = Math.ceil(roomForRows() / shape.rowHeight) + 1;
    const columns = freeInView(shape.places, left, width);
    return {
      first: Math.max(0, top),
      last: Math.min(shape.count - 1, top + inView + 2 * spare - 1),
      firstColumn: columns.first,
      lastColumn: columns.last,
      shift: place.shift,
      height: map.height,
      width,
    };
  };
  let current = look(Infinity);
  const update = (most = Infinity): void => {
    const next = look(most);
    if (isSame(next, current)) return;
    current = next;
    listeners.tell();
  };
  const write = (next: ScrollPlace): void => {
    const isElsewhere = next.scrollTop !== place.scrollTop;
    place = next;
    // rows first: they are in place before the element shows them
    update();
    if (isElsewhere && scroller) scroller.scrollTop = next.scrollTop;
  };
  const remap = (): void => {
    map = scrollMap(shape.count * shape.rowHeight, roomForRows());
    write(settled(map, place));
  };

  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    shape: (next) => {
      const isTaller = next.count !== shape.count || next.rowHeight !== shape.rowHeight || next.headHeight !== shape.headHeight;
      shape = next;
      if (isTaller) remap();
      else update();
    },
    resize: (nextWidth, nextHeight) => {
      if (nextWidth === width && nextHeight === height) return;
      [width, height] = [nextWidth, nextHeight];
      remap();
    },
    scroll: (at, isGesture) => {
      left = at.scrollLeft;
      place = scrolled(map, place, at.scrollTop, isGesture);
      if (isStuck(map, place)) write(settled(map, place));
      else update(mostAtOnce);
    },
    rest: () => write(settled(map, place)),
    attach: (next) => {
      scroller = next;
    },
    revealRow: (index) => {
      const { rowHeight } = shape;
      write(moved(map, place, revealed(place, index * rowHeight, rowHeight, roomForRows())));
    },
    revealColumn: (column) => {
      const next = revealedLeft(shape.places, column, left, width);
      if (next === left) return;
      left = next;
      update();
      if (scroller) scroller.scrollLeft = next;
    },
    toTop: () => write(moved(map, place, 0)),
    rowAt: (y) => Math.max(0, Math.min(shape.count - 1, Math.floor((y + positionAt(place)) / shape.rowHeight))),
    visible,
    visibleColumns: () => freeInView(shape.places, left, width, 0),
    position: () => positionAt(place),
    moveTo: (position) => write(moved(map, place, position)),
    rowHeight: () => shape.rowHeight,
    pageRows: () => Math.max(1, Math.floor(roomForRows() / shape.rowHeight) - 1),
    scrollLeft: () => left,
  };
}
