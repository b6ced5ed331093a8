import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder, isInOrder, noSlots, type RowSlots, slotsFor } from '#app/ui/grid/row-slots.ts';

/** Rows in view, and the one the keyboard is on, wherever it is. */
const aView = fc
  .record({ first: fc.nat(120), length: fc.integer({ min: 0, max: 30 }), active: fc.nat(150) })
  .map(({ first, length, active }) => ({
    active,
    rows: [...new Set([...Array.from({ length }, (_, at) => first + at), active])].toSorted((a, b) => a - b),
  }));
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

/** Which element each row has. */
const elements = ({ rows, slots }: RowSlots): Map<number, number> => new Map(rows.map((row, at) => [row, slots[at] as number]));

/** Expects the rows, each with an element of its own; rows that stay keep theirs, but for some; and no element is moved. */
function expectHandedOn(before: RowSlots, after: RowSlots, rows: readonly number[], mostRemade: number): void {
  expect(after.rows.toSorted((a, b) => a - b)).toEqual(rows);
  expect(new Set(after.slots).size).toBe(rows.length);
  expect(movedElements(before, after)).toEqual(new Set());
  const [was, is] = [elements(before), elements(after)];
  const remade = rows.filter((row) => was.has(row) && was.get(row) !== is.get(row));
  expect(remade.length).toBeLessThanOrEqual(mostRemade);
  for (const row of remade) expect(before.slots).not.toContain(is.get(row));
}

describe('the elements of rows', () => {
  test('[GR52] each row has an element of its own, one that stays keeps it, and none is moved', () => {
    fc.assert(
      fc.property(views, (lists) => {
        let before = noSlots;
        for (const { rows } of lists) {
          const after = slotsFor(before, rows);
          expectHandedOn(before, after, rows, 0);
          before = after;
        }
      }),
    );
  });
  test('[GR52] a scroll down or up, or a leap, makes no new elements', () => {
    const top = slotsFor(noSlots, stretch(40, 40));
    const down = slotsFor(top, stretch(44, 40));
    const up = slotsFor(down, stretch(8, 40));
    const leapt = slotsFor(up, stretch(900_000, 40));
    for (const next of [down, up, leapt]) expect(new Set(next.slots)).toEqual(new Set(top.slots));
  });
  test('[GR52] once one stands still the elements come to the order of the rows, four at a time, and the one the keyboard is on stays', () => {
    fc.assert(
      fc.property(views, (lists) => {
        let slots = noSlots;
        for (const { rows } of lists) slots = slotsFor(slots, rows);
        const { active, rows } = lists.at(-1) ?? { active: 0, rows: [] };
        const held = elements(slots).get(active);
        for (let steps = 0; !isInOrder(slots); steps += 1) {
          expect(steps).toBeLessThan(rows.length);
          const next = inOrder(slots, active);
          expectHandedOn(slots, next, rows, 4);
          slots = next;
        }
        expect(slots.rows).toEqual(rows);
        expect(elements(slots).get(active)).toBe(held);
      }),
    );
  });
  test('[GR52] what is in order already is left as it is, and after a scroll up only what came is made anew', () => {
    const scrolled = slotsFor(slotsFor(noSlots, stretch(40, 40)), stretch(36, 40));
    const ordered = inOrder(scrolled);
    expect(ordered.rows).toEqual(stretch(36, 40));
    expect(ordered.slots.slice(4)).toEqual(slotsFor(noSlots, stretch(40, 40)).slots.slice(0, 36));
  });
  test('[GR52] the same rows are the same answer', () => {
    const slots = slotsFor(noSlots, stretch(0, 3));
    expect(slotsFor(slots, stretch(0, 3))).toBe(slots);
  });
});
