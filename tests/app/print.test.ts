import { expect, test } from 'vitest';
import { readSheet, TooManyRowsError } from '#app/screens/transactions/print/print-list.ts';
import type { QuerySource } from '#app/screens/transactions/query-source.ts';
import { leftOutText, mostPrinted, rowsAtHand } from '#app/ui/print/rows-at-hand.ts';
import { createArraySource } from '#app/ui/grid/use-array-source.ts';

interface Line {
  id: string;
}

function aSource(count: number) {
  const source = createArraySource<Line>(({ id }) => id);
  source.show(Array.from({ length: count }, (_, at) => ({ id: String(at) })));
  return source;
}

test('[PR1] what the browser prints by itself is the whole list where all of it is at hand, else the rows in view, and what is missing is said', () => {
  const source = aSource(300);
  const seen = { first: 40, last: 49 };
  const whole = rowsAtHand(source, seen);
  expect(whole.rows.map(({ id }) => Number(id))).toEqual(Array.from({ length: 300 }, (_, at) => at));
  expect(leftOutText(whole, 'Choose Print.')).toBeNull();

  const here = (at: number): Line | undefined => (at < 100 ? source.row(at) : undefined);
  const some = rowsAtHand({ ...source, row: here, rowNow: here }, seen);
  expect(some.rows.map(({ id }) => id)).toEqual(['40', '41', '42', '43', '44', '45', '46', '47', '48', '49']);
  expect(leftOutText(some, 'Choose Print.')).toBe('Only 10 of 300 rows on this paper: those in view. Choose Print.');

  const many = rowsAtHand(aSource(mostPrinted + 1), seen);
  expect(leftOutText(many, '')).toBe('Only 10 of 5,001 rows on this paper: those in view.');
});

test('[PR1] where nobody knows how many rows there are the paper says so', () => {
  const unsure = rowsAtHand({ ...aSource(3), isCounted: () => false }, { first: 0, last: 20 });
  expect(unsure.rows).toHaveLength(3);
  expect(leftOutText(unsure, '')).toMatch(/^Only 3 rows on this paper: the list was still being read/);
});

const noWords = async () => ({ columns: [], names: {} as never });
const asQuery = (source: unknown) => source as Pick<QuerySource, 'stretch' | 'list'>;

test('[PR2] a list is read whole and in its order, names with it; one of too many rows is refused, also where it grew meanwhile', async () => {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const { rows } = await readSheet(asQuery(aSource(2_345)), 2_345, noWords, options);
  expect(rows.map(({ id }) => Number(id))).toEqual(Array.from({ length: 2_345 }, (_, at) => at));
  expect((await readSheet(asQuery(aSource(mostPrinted)), mostPrinted, noWords, options)).rows).toHaveLength(mostPrinted);

  const refused = readSheet(asQuery(aSource(0)), 12_790, noWords, options);
  await expect(refused).rejects.toThrow('12,790 rows are too many to print: at most 5,000 are. Nothing was printed.');
  await expect(readSheet(asQuery(aSource(mostPrinted + 1)), 10, noWords, options)).rejects.toThrow(TooManyRowsError);
});

test('[PR2] reading is cancelled at once, and tells how far it is', async () => {
  const controller = new AbortController();
  const told: number[] = [];
  const onProgress = (rows: number): void => {
    told.push(rows);
    if (rows === 2_000) controller.abort();
  };
  const reading = readSheet(asQuery(aSource(4_000)), 4_000, noWords, { signal: controller.signal, onProgress });
  await expect(reading).rejects.toThrow(/abort/i);
  expect(told).toEqual([1_000, 2_000]);
});
