import type { ColumnChoice } from './column-layout.ts';

/** A column with its place, in pixels from the start of the row. */
export interface PlacedColumn {
  key: string;
  /** Its number among the shown columns. */
  index: number;
  left: number;
  width: number;
}

export interface ColumnPlaces {
  pinned: readonly PlacedColumn[];
  free: readonly PlacedColumn[];
  /** Where the free ones begin. */
  pinnedWidth: number;
  /** Of the whole row. */
  width: number;
}

/** Room that is always left for the free columns. */
const leastFree = 200;
/** How far beyond either edge columns are drawn, so that steady scrolling meets no hole. */
const margin = 240;

/** Lays the shown columns out; the last one takes the room that is left. Pinned ones that would leave no room scroll like the others. */
export function placeColumns(shown: readonly ColumnChoice[], start: number, view: number): ColumnPlaces {
  const total = shown.reduce((sum, column) => sum + column.width, start);
  const spare = Math.max(0, view - total);
  let left = start;
  const all = shown.map(({ key, width: chosen }, index): PlacedColumn => {
    const width = index === shown.length - 1 ? chosen + spare : chosen;
    const column = { key, index, left, width };
    left += width;
    return column;
  });
  let pins = shown.filter((column) => column.isPinned).length;
  const endOf = (count: number): number => all[count]?.left ?? left;
  const room = (count: number): number => (count === all.length ? view : view - leastFree);
  while (pins > 0 && view > 0 && endOf(pins) > room(pins)) pins -= 1;
  return { pinned: all.slice(0, pins), free: all.slice(pins), pinnedWidth: pins === 0 ? start : endOf(pins), width: left };
}

/** Columns by their number among the shown ones; first is after last where there are none. */
export interface ColumnStretch {
  first: number;
  last: number;
}

/** The free columns in view, and those that are drawn beyond. */
export function freeInView(places: ColumnPlaces, scrollLeft: number, view: number, beyond = margin): ColumnStretch {
  const from = scrollLeft + places.pinnedWidth - beyond;
  const to = scrollLeft + view + beyond;
  const seen = places.free.filter((column) => column.left + column.width > from && column.left < to);
  return { first: seen[0]?.index ?? 0, last: seen.at(-1)?.index ?? -1 };
}

/** The scroll sideways, nearest to the present one, at which a column is in view as a whole. */
export function revealedLeft(places: ColumnPlaces, column: PlacedColumn, scrollLeft: number, view: number): number {
  if (places.pinned.includes(column)) return scrollLeft;
  const room = view - places.pinnedWidth;
  if (column.left - places.pinnedWidth < scrollLeft || column.width > room) return column.left - places.pinnedWidth;
  const right = column.left + column.width;
  return right > scrollLeft + view ? right - view : scrollLeft;
}

/** The shown column at a place in the row as it is scrolled. @param x pixels from the left edge of the view. */
export function columnAt(places: ColumnPlaces, x: number, scrollLeft: number): number {
  const within = (column: PlacedColumn, at: number): boolean => at < column.left + column.width;
  const found = x < places.pinnedWidth ? places.pinned.find((column) => within(column, x)) : undefined;
  const free = found ?? places.free.find((column) => within(column, x + scrollLeft));
  return free?.index ?? places.pinned.length + places.free.length - 1;
}
