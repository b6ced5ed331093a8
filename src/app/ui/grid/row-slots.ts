/** Which element draws which row, as the elements lie in the page. */
export interface RowSlots {
  rows: readonly number[];
  /** One for each row, by which the page knows its element. */
  slots: readonly number[];
  /** Never given yet. */
  unused: number;
  /** They are being put in order. */
  isOrdering: boolean;
}

export const noSlots: RowSlots = { rows: [], slots: [], unused: 0, isOrdering: false };

/**
 * Gives rows that come the elements of rows that leave: writing into an element costs less than making one, or than moving it in the page.
 * So the elements are not in the order of their rows where one scrolls: `inOrder` brings them back to it.
 * @param rows to be drawn, ascending.
 * @returns what was, where the rows are the same.
 */
export function slotsFor(before: RowSlots, rows: readonly number[]): RowSlots {
  const drawn = new Set(rows);
  const held = new Set(before.rows);
  const coming = rows.filter((row) => !held.has(row));
  if (coming.length === 0 && rows.length === before.rows.length) return before;
  const next = { rows: [] as number[], slots: [] as number[] };
  let given = 0;
  for (const [place, row] of before.rows.entries()) {
    const here = drawn.has(row) ? row : coming[given++];
    if (here === undefined) continue;
    next.rows.push(here);
    next.slots.push(before.slots[place] as number);
  }
  const made = coming.slice(given);
  next.rows.push(...made);
  next.slots.push(...made.map((_, at) => before.unused + at));
  return { ...next, unused: before.unused + made.length, isOrdering: false };
}

/** Rows that follow each other from small to large, as many as there are, with the one at `kept` among them if it is given. */
function ascending(rows: readonly number[], kept: number | undefined): Set<number> {
  const pivot = kept === undefined ? -1 : rows.indexOf(kept);
  const fits = (row: number, place: number): boolean => pivot < 0 || place === pivot || place < pivot === row < (kept as number);
  /** The longest run that ends with each row. */
  const runs: number[][] = [];
  let longest: number[] = [];
  for (const [place, row] of rows.entries()) {
    if (!fits(row, place)) continue;
    const before = runs.filter((run) => (run.at(-1) as number) < row).reduce<number[]>((a, b) => (b.length > a.length ? b : a), []);
    const run = [...before, row];
    runs.push(run);
    if (run.length > longest.length) longest = run;
  }
  return new Set(longest);
}

/** Elements made anew in one step: a frame has room for no more. */
const mostAtOnce = 4;

export function isInOrder({ rows }: RowSlots): boolean {
  return rows.every((row, at) => at === 0 || (rows[at - 1] as number) < row);
}

/**
 * A step towards the order of the rows, which whoever has the page read to them hears it in: some rows get new elements where they
 * belong. To move theirs would move others, too.
 * @param kept a row whose element stays: the focus is in it.
 */
export function inOrder(before: RowSlots, kept?: number): RowSlots {
  const staying = ascending(before.rows, kept);
  const moved = before.rows.filter((row) => !staying.has(row)).slice(0, mostAtOnce);
  const others = before.rows.flatMap((row, place) => (moved.includes(row) ? [] : [{ row, slot: before.slots[place] as number }]));
  for (const [at, row] of moved.entries()) {
    const next = others.findIndex((other) => staying.has(other.row) && other.row > row);
    others.splice(next < 0 ? others.length : next, 0, { row, slot: before.unused + at });
    staying.add(row);
  }
  return {
    rows: others.map(({ row }) => row),
    slots: others.map(({ slot }) => slot),
    unused: before.unused + moved.length,
    isOrdering: true,
  };
}
