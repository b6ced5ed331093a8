/** Tallest element, in pixels, that every browser still lays out exactly: Firefox ends near 17.8 million, Chromium near 33.5. */
export const tallest = 12_000_000;
/** So near to either end, in pixels, a list that is too tall scrolls as if it were not. */
const exactEnd = 120_000;
/** A step beyond this, in pixels, was no wheel, key or finger: the thumb was dragged or something jumped. */
const jump = 2_000;

/** How a list that may be taller than any element is scrolled in an element that is not. All in pixels. */
export interface ScrollMap {
  /** Of all rows. */
  total: number;
  /** Of the element that stands for them. */
  height: number;
  /** Furthest the element scrolls. */
  lastScroll: number;
  /** Furthest the rows scroll. */
  lastPosition: number;
}

/** Where one is: the element's scroll and what every row is shifted by, so that `scrollTop - shift` is the position in the rows. */
export interface ScrollPlace {
  scrollTop: number;
  shift: number;
}

function within(value: number, last: number): number {
  return Math.max(0, Math.min(last, value));
}

/** @param view height of what is visible of the rows. */
export function scrollMap(total: number, view: number, cap = tallest): ScrollMap {
  const height = Math.min(total, cap);
  return { total, height, lastScroll: Math.max(0, height - view), lastPosition: Math.max(0, total - view) };
}

function endOf({ lastScroll }: ScrollMap): number {
  return Math.min(exactEnd, lastScroll / 4);
}

/** The position a scroll of the element stands for: exact near both ends, in proportion between. */
export function positionOf(map: ScrollMap, scrollTop: number): number {
  const { lastScroll, lastPosition } = map;
  const at = within(scrollTop, lastScroll);
  if (map.height === map.total) return at;
  const end = endOf(map);
  if (at <= end) return at;
  if (at >= lastScroll - end) return lastPosition - (lastScroll - at);
  return end + ((at - end) / (lastScroll - 2 * end)) * (lastPosition - 2 * end);
}

/** The scroll of the element that stands for a position. */
export function scrollOf(map: ScrollMap, position: number): number {
  const { lastScroll, lastPosition } = map;
  const at = within(position, lastPosition);
  if (map.height === map.total) return at;
  const end = endOf(map);
  if (at <= end) return at;
  if (at >= lastPosition - end) return lastScroll - (lastPosition - at);
  return end + ((at - end) / (lastPosition - 2 * end)) * (lastScroll - 2 * end);
}

export function positionAt({ scrollTop, shift }: ScrollPlace): number {
  return scrollTop - shift;
}

/** A place whose position lies inside the list; a whole shift, so that rows stay on whole pixels. */
function placed(map: ScrollMap, scrollTop: number, shift: number): ScrollPlace {
  if (map.height === map.total) return { scrollTop, shift: 0 };
  const position = scrollTop - shift;
  const inside = within(position, map.lastPosition);
  return { scrollTop, shift: position === inside ? shift : scrollTop - inside };
}

/**
 * The place after the element was scrolled. A small step, or any step of a wheel or finger, moves the rows by as many pixels;
 * another one goes where it stands for.
 */
export function scrolled(map: ScrollMap, place: ScrollPlace, scrollTop: number, isGesture: boolean): ScrollPlace {
  const isExact = isGesture || Math.abs(scrollTop - place.scrollTop) <= jump;
  return placed(map, scrollTop, isExact ? place.shift : Math.round(scrollTop - positionOf(map, scrollTop)));
}

/** The place that shows a position: by as many pixels where it is near, else where its scroll is. */
export function moved(map: ScrollMap, place: ScrollPlace, position: number): ScrollPlace {
  const at = within(position, map.lastPosition);
  const near = at + place.shift;
  if (Math.abs(at - positionAt(place)) <= jump && near >= 0 && near <= map.lastScroll) return placed(map, near, place.shift);
  return settled(map, { scrollTop: at, shift: 0 });
}

/** The same position with the scroll that stands for it: what exact steps have put apart is brought together, and no row moves. */
export function settled(map: ScrollMap, place: ScrollPlace): ScrollPlace {
  const position = within(positionAt(place), map.lastPosition);
  if (map.height === map.total) return { scrollTop: position, shift: 0 };
  const scrollTop = Math.round(scrollOf(map, position));
  return placed(map, scrollTop, Math.round(scrollTop - position));
}

/** Whether the element cannot be scrolled on though the rows can: the place must be settled at once. */
export function isStuck(map: ScrollMap, place: ScrollPlace): boolean {
  const position = positionAt(place);
  return (place.scrollTop <= 0 && position > 0) || (place.scrollTop >= map.lastScroll && position < map.lastPosition);
}

/** The position, nearest to the present one, at which a row is in view as a whole. */
export function revealed(place: ScrollPlace, top: number, height: number, view: number): number {
  const position = positionAt(place);
  if (top < position) return top;
  return top + height > position + view ? top + height - view : position;
}
