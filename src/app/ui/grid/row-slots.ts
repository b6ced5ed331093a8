/** Which element draws which row, in their order. */
export interface RowSlots {
  rows: readonly number[];
  /** One for each row, by which the page knows its element. */
  slots: readonly number[];
  /** Never given yet. */
  unused: number;
}

export const noSlots: RowSlots = { rows: [], slots: [], unused: 0 };

/**
 * Gives rows that come the elements of rows that leave: writing into an element costs less than making one. A row that stays keeps its
 * element, and that element is not moved in the page, or the focus in it would be lost: so an element only ever goes on to a later row.
 * @param rows to be drawn, ascending.
 * @returns what was, where the rows are the same.
 */
export function slotsFor(before: RowSlots, rows: readonly number[]): RowSlots {
  if (rows.length === before.rows.length && rows.every((row, at) => row === before.rows[at])) return before;
  const placeOf = new Map(before.rows.map((row, place) => [row, place]));
  const staying = new Set(rows);
  const left = before.rows.flatMap((row, place) => (staying.has(row) ? [] : [place]));
  // where the next row that stays is now: no element behind it may come before it
  const nextStays = rows.map((row) => placeOf.get(row) ?? Number.POSITIVE_INFINITY);
  for (let at = nextStays.length - 2; at >= 0; at -= 1) nextStays[at] = Math.min(nextStays[at] as number, nextStays[at + 1] as number);
  let { unused } = before;
  let taken = 0;
  const slots = rows.map((row, at) => {
    const place = placeOf.get(row);
    if (place !== undefined) return before.slots[place] as number;
    const free = left[taken];
    if (free !== undefined && free < (nextStays[at] as number)) {
      taken += 1;
      return before.slots[free] as number;
    }
    unused += 1;
    return unused - 1;
  });
  return { rows, slots, unused };
}
