import { countWords } from '#domain/count-words.ts';
import type { GridSource } from '#app/ui/grid/grid-source.ts';

/** Most rows a page is printed with. */
export const mostPrinted = 5_000;

/** What can be printed of a list without waiting for anything. */
export interface RowsAtHand<Row> {
  rows: readonly Row[];
  /** Of the list; null while nobody knows. */
  count: number | null;
}

/** Every row, where all are here and they are not too many, else those in view. */
export function rowsAtHand<Row>(
  source: Pick<GridSource<Row>, 'count' | 'isCounted' | 'row' | 'rowNow'>,
  seen: { first: number; last: number },
): RowsAtHand<Row> {
  const there = source.count() ?? 0;
  const count = source.isCounted() ? there : null;
  const rows: Row[] = [];
  for (let at = 0; at < Math.min(there, mostPrinted); at += 1) {
    const row = source.rowNow(at);
    if (row === undefined) break;
    rows.push(row);
  }
  if (rows.length === count) return { rows, count };
  const last = Math.min(seen.last, there - 1);
  const inView = Array.from({ length: Math.max(0, last - seen.first + 1) }, (_, at) => source.row(seen.first + at));
  return { rows: inView.filter((row) => row !== undefined), count };
}

/** What of a list is not on the paper; null where all of it is. @param hint how to have all of it. */
export function leftOutText<Row>({ rows, count }: RowsAtHand<Row>, hint: string): string | null {
  if (count === null)
    return `Only ${countWords(rows.length, 'row')} on this paper: the list was still being read. Print it again once it is here.`;
  if (rows.length === count) return null;
  return `Only ${rows.length.toLocaleString('en-US')} of ${countWords(count, 'row')} on this paper: those in view. ${hint}`.trim();
}
