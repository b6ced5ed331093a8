import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noSlots, type RowSlots, slotsFor } from '#app/ui/grid/row-slots.ts';

/** Rows in view, and the one the keyboard is on, wherever it is. */
const aView = fc
  .record({ first: fc.nat(120), length: fc.integer({ min: 0, max: 30 }), active: fc.nat(150) })
  .map(({ first, length, active }) => [...new Set([...Array.from({ length }, (_, at) => first + at), active])].toSorted((a, b) => a - b));
const views = fc.array(aView, { minLength: 1, maxLength: 12 });

const stretch = (first: number, length: number): number[] => Array.from({ length }, (_, at) => first + at);

/** The elements that the page has to move, as React does it: in the new order, one that was before an element already met is moved. */
function movedElements(before: RowSlots, after: RowSlots): Set<number> {
  let latest = -1;
  const moved = new Set<number>();
  for (const slot of after.slots) {
    const place = before.slots.indexOf(slot);
    if (place < 0) continue;
    if (place < latest) moved.add(slot);
    else latest = place;
  }
  return moved;
}

describe('the elements of rows', () => {
  test('[GR52] each row has an element of its own, and one that stays keeps it, unmoved', () => {
    fc.assert(
      fc.property(views, (lists) => {
        let before = noSlots;
        for (const rows of lists) {
          const after = slotsFor(before, rows);
          expect(new Set(after.slots).size).toBe(rows.length);
          const moved = movedElements(before, after);
          for (const [at, row] of rows.entries()) {
            const place = before.rows.indexOf(row);
            if (place < 0) continue;
            expect(after.slots[at]).toBe(before.slots[place]);
            expect(moved).not.toContain(after.slots[at]);
          }
          before = after;
        }
      }),
    );
  });
  test('[GR52] a scroll down or a leap makes no new elements', () => {
    const top = slotsFor(noSlots, stretch(0, 40));
    const further = slotsFor(top, stretch(4, 40));
    const leapt = slotsFor(further, stretch(900_000, 40));
    expect(new Set([...further.slots, ...leapt.slots])).toEqual(new Set(top.slots));
  });
  test('[GR52] the same rows are the same answer', () => {
    const slots = slotsFor(noSlots, stretch(0, 3));
    expect(slotsFor(slots, stretch(0, 3))).toBe(slots);
  });
});
