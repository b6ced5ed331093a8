import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Query } from '#columns/query.ts';
import { createTable } from '#columns/table.ts';
import { keys } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
import { play, storiesOf } from './stories.ts';

const unsorted = (query: Query) => ({ ...query, sort: [] });
const sortedOnly = (query: Query) => ({ ...query, where: query.where?.slice(0, 1) ?? [] });

test(
  '[CO1] a query matches the same rows as a plain filter over all rows, whatever was put, removed, sealed or reloaded before',
  patient,
  () => {
    fc.assert(
      fc.property(storiesOf(unsorted, 60), (story) =>
        play(story, (table, oracle, { query }) => {
          const expected = oracle.select(query, (column) => table.codes(column));
          // what is asked again is answered from what was learnt the first times
          for (const selection of [table.select(query), table.select(query), table.select(query)]) {
            expect(selection.count).toBe(expected.length);
            const { places, overlaid } = selection.window(0, Infinity);
            expect(Array.from(places)).toEqual(expected.map(({ place }) => place));
            expect(Array.from(overlaid)).toEqual(expected.map((row) => row.overlaid));
          }
        }),
      ),
      { numRuns: cases },
    );
  },
);

test(
  '[CO2] a sort gives exactly the order of a plain sort, ties in (time descending, key descending), nulls last either way',
  patient,
  () => {
    fc.assert(
      fc.property(storiesOf(sortedOnly, 90), (story) =>
        play(story, (table, oracle, { query }) => {
          const expected = oracle.select(query, (column) => table.codes(column));
          expect(Array.from(table.select(query).window(0, Infinity).places)).toEqual(expected.map(({ place }) => place));
        }),
      ),
      { numRuns: cases },
    );
  },
);

test('[CO3] any window is the same slice of the whole order, and the windows one after another are all of it', patient, () => {
  fc.assert(
    fc.property(storiesOf(sortedOnly, 60), (story) =>
      play(story, (table, oracle, { query, offset, limit }) => {
        const expected = oracle.select(query, (column) => table.codes(column)).map(({ place, overlaid }) => [place, overlaid]);
        const selection = table.select(query);
        const pairs = ({ places, overlaid }: { places: Uint32Array; overlaid: Uint8Array }) =>
          Array.from(places, (p, i) => [p, overlaid[i]]);
        expect(pairs(selection.window(offset, limit))).toEqual(expected.slice(offset, offset + limit));
        expect(Array.from(selection.windows(limit + 1)).flatMap(pairs)).toEqual(expected);
      }),
    ),
    { numRuns: cases },
  );
});

test('[CO4] a sum of decimals, or of their products, equals the exact sum to the last digit, per group', patient, () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle, { query, request }) => {
        const rows = oracle.select(query, (column) => table.codes(column));
        const byGroup = (totals: readonly { readonly by: readonly unknown[] }[]) =>
          new Map(totals.map((each) => [JSON.stringify(each.by), each]));
        // the totals of all rows first, so that those of whole segments are remembered
        table.select({}).totals(request);
        expect(byGroup(table.select(query).totals(request))).toEqual(byGroup(oracle.totals(rows, request)));
      }),
    ),
    { numRuns: cases },
  );
});

test('[CO5] facets count every value that occurs, and no other', patient, () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle, { query }) => {
        const rows = oracle.select(query, (column) => table.codes(column));
        for (const [column, kind] of Object.entries(story.schema)) {
          if (kind !== 'code' && kind !== 'small') continue;
          const facets = table.select(query).facets(column);
          expect(new Map(facets.map(({ value, count }) => [value, count]))).toEqual(oracle.facets(rows, column));
        }
      }),
    ),
    { numRuns: cases },
  );
});

test('[CO6] the position of a key is its index in the order, -1 when its row is not matched', patient, () => {
  fc.assert(
    fc.property(storiesOf(sortedOnly, 60), (story) =>
      play(story, (table, oracle, { query }) => {
        const expected = oracle.select(query, (column) => table.codes(column)).map(({ key }) => key);
        const selection = table.select(query);
        expect(keys.map((key) => selection.positionOf(key))).toEqual(keys.map((key) => expected.indexOf(key)));
      }),
    ),
    { numRuns: cases },
  );
});

test('[CO7] size counts the visible rows; has and placeOf answer for the base, the overlay aside', patient, () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle) => {
        expect(table.size).toBe(oracle.visible().length);
        expect(keys.map((key) => table.placeOf(key))).toEqual(keys.map((key) => oracle.base.get(key)?.place));
        expect(keys.filter((key) => table.has(key))).toEqual(keys.filter((key) => oracle.base.has(key)));
      }),
    ),
    { numRuns: cases },
  );
});

test('[CO29] what is remembered of a query answers no other one', () => {
  const table = createTable({ a: 'small', b: 'small', open: 'flag', x: 'decimal', y: 'decimal' });
  const rows = Array.from({ length: 200 }, (_, i) => ({
    key: `key ${i}`,
    time: i,
    values: { a: i % 3, b: i % 5, open: i % 2 === 0, x: `${i}`, y: `-${i}.5` },
  }));
  table.put(rows, Array.from(rows.keys()));
  table.seal();
  const countOf = (column: string, value: number) => table.select({ where: [{ column, in: [value] }] }).count;
  for (let turn = 0; turn < 4; turn++) {
    expect([countOf('a', 0), countOf('b', 0), countOf('a', 1), countOf('b', 1), countOf('a', 4)]).toEqual([67, 40, 67, 40, 0]);
    expect(table.select({ where: [{ flag: 'open', is: false }] }).count).toBe(100);
    const [all] = table.select({}).totals({ sums: ['x'] });
    const [other] = table.select({}).totals({ sums: ['y'] });
    expect([all?.sums, other?.sums]).toEqual([{ x: '19900' }, { y: '-20000' }]);
    expect(table.select({}).totals({ groupBy: ['a'], sums: ['x'] })).toHaveLength(3);
    expect(table.select({ where: [{ column: 'a', in: [0], not: true }] }).totals({ sums: ['x'] })[0]?.sums).toEqual({ x: '13267' });
  }
});
