import type { GridSource } from './grid-source.ts';
import type { Place } from './row-anchor.ts';

/** How many rows more are read on either side of a range whose ends are not where they were. */
const margins = [0, 64, 1_024];

/**
 * The rows from one place to another, both included, by the rows that are there: others may have come or gone since they were seen.
 * @throws where one of the two is near its place no more.
 */
export async function rowsBetween<Row>(
  source: Pick<GridSource<Row>, 'stretch' | 'keyOf'>,
  top: Place,
  bottom: Place,
): Promise<readonly Row[]> {
  for (const margin of margins) {
    const first = Math.max(0, top.row - margin);
    const { rows } = await source.stretch(first, bottom.row + margin - first + 1);
    const indexOf = ({ row, keys }: Place): number =>
      keys.at === null ? row - first : rows.findIndex((each) => source.keyOf(each) === keys.at);
    const [from, to] = [indexOf(top), indexOf(bottom)];
    if (from >= 0 && from <= to) return rows.slice(from, to + 1);
  }
  throw new Error('The ends of the range are not where they were');
}
