import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isStuck,
  moved,
  positionAt,
  positionOf,
  revealed,
  type ScrollMap,
  scrollMap,
  scrollOf,
  type ScrollPlace,
  scrolled,
  settled,
  tallest,
} from '#app/ui/grid/scroll-map.ts';

const rowHeight = 32;
const start: ScrollPlace = { scrollTop: 0, shift: 0 };

const aList = fc
  .record({ rows: fc.integer({ min: 1, max: 40_000_000 }), view: fc.integer({ min: 100, max: 4_000 }) })
  .map(({ rows, view }) => scrollMap(rows * rowHeight, view));
const aTallList = fc
  .record({ rows: fc.integer({ min: 1_000_000, max: 40_000_000 }), view: fc.integer({ min: 100, max: 4_000 }) })
  .map(({ rows, view }) => scrollMap(rows * rowHeight, view));

function isInside(map: ScrollMap, place: ScrollPlace): boolean {
  const position = positionAt(place);
  return position >= 0 && position <= map.lastPosition;
}

test('[GR20] a list that fits scrolls by exact pixels, and no element is taller than browsers allow', () => {
  fc.assert(
    fc.property(aList, fc.double({ min: 0, max: 1, noNaN: true }), (map, part) => {
      expect(map.height).toBeLessThanOrEqual(tallest);
      if (map.total > tallest) return;
      const at = part * map.lastScroll;
      expect(positionOf(map, at)).toBe(at);
      expect(scrolled(map, start, at, false)).toEqual({ scrollTop: at, shift: 0 });
    }),
  );
});

test('[GR20] of ten million rows the first and the last are reached by the thumb, and every scroll stands for one position in order', () => {
  const map = scrollMap(10_000_000 * rowHeight, 800);
  expect(positionAt(scrolled(map, start, map.lastScroll, false))).toBe(10_000_000 * rowHeight - 800);
  expect(positionAt(scrolled(map, { scrollTop: map.lastScroll, shift: map.height - map.total }, 0, false))).toBe(0);
  fc.assert(
    fc.property(aList, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (list, one, other) => {
      const [low, high] = [Math.min(one, other) * list.lastScroll, Math.max(one, other) * list.lastScroll];
      expect(positionOf(list, low)).toBeLessThanOrEqual(positionOf(list, high));
      expect(positionOf(list, 0)).toBe(0);
      expect(positionOf(list, list.lastScroll)).toBeCloseTo(list.lastPosition, 5);
      expect(scrollOf(list, positionOf(list, low))).toBeCloseTo(low, 2);
    }),
  );
});

test('[GR21] a wheel, a key or a finger moves the rows by as many pixels, anywhere, and never drifts', () => {
  const steps = fc.array(fc.integer({ min: -1_900, max: 1_900 }), { maxLength: 60 });
  fc.assert(
    fc.property(aTallList, fc.double({ min: 0.05, max: 0.95, noNaN: true }), steps, (map, part, moves) => {
      let place = scrolled(map, start, Math.round(part * map.lastScroll), false);
      const first = positionAt(place);
      let sum = 0;
      for (const by of moves) {
        place = scrolled(map, place, place.scrollTop + by, true);
        sum += by;
        expect(positionAt(place)).toBe(first + sum);
        expect(Number.isInteger(place.shift)).toBe(true);
      }
    }),
  );
});

test('[GR21] where the element ends before the rows do, they are brought together without a row moving', () => {
  fc.assert(
    fc.property(aTallList, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: -100_000, max: 100_000 }), (map, part, apart) => {
      const at = Math.round(part * map.lastPosition);
      const place = { scrollTop: Math.max(0, Math.min(map.lastScroll, Math.round(scrollOf(map, at)) + apart)), shift: 0 };
      const put = { ...place, shift: place.scrollTop - at };
      const next = settled(map, put);
      expect(Math.abs(positionAt(next) - positionAt(put))).toBeLessThanOrEqual(0.5);
      expect(isStuck(map, next)).toBe(false);
      expect(next.scrollTop).toBeGreaterThanOrEqual(0);
      expect(next.scrollTop).toBeLessThanOrEqual(map.lastScroll);
      expect(settled(map, next)).toEqual(next);
    }),
  );
});

test('[GR21] no scroll, however wild, leaves the list', () => {
  const moves = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(aList, moves, (map, wild) => {
      let place = start;
      for (const [part, isGesture] of wild) {
        place = scrolled(map, place, part * map.lastScroll, isGesture);
        if (isStuck(map, place)) place = settled(map, place);
        expect(isInside(map, place)).toBe(true);
      }
    }),
  );
});

test('[GR22] a row is brought into view as a whole, by the least there is to scroll', () => {
  fc.assert(
    fc.property(aList, fc.nat(40_000_000), fc.double({ min: 0, max: 1, noNaN: true }), (map, wanted, part) => {
      const view = map.total - map.lastPosition;
      const rows = map.total / rowHeight;
      const top = (wanted % rows) * rowHeight;
      const place = settled(map, { scrollTop: part * map.lastPosition, shift: 0 });
      const next = moved(map, place, revealed(place, top, rowHeight, view));
      const position = positionAt(next);
      expect(isInside(map, next)).toBe(true);
      expect(top).toBeGreaterThanOrEqual(position - 0.5);
      if (view >= rowHeight) expect(top + rowHeight).toBeLessThanOrEqual(position + view + 0.5);
    }),
  );
  const still = { scrollTop: 500, shift: 0 };
  expect(revealed(still, 512, 32, 800)).toBe(500);
});
