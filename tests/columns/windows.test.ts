import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentChunk } from '#columns/chunks.ts';
import { numberOrderOf } from '#columns/number-orders.ts';
import { layoutOf, type Row, type Schema } from '#columns/schema.ts';
import type { Segment } from '#columns/segments.ts';
import { compileSort, type Sort } from '#columns/sorting.ts';
import { createTable } from '#columns/table.ts';
import { decimalText, keys } from './arbitraries.ts';
import { cases, patient } from './cases.ts';

const schema = { place: 'code', kind: 'small', open: 'flag', usd: 'decimal', note: 'text' } as const satisfies Schema;

// long runs of equal values, and texts and decimals that differ late, so that ties straddle the end of a window
const row = fc.record({
  time: fc.nat(30),
  values: fc.record({
    place: fc.constantFrom(null, 'a', 'b', 'c'),
    kind: fc.constantFrom(null, 0, 1, 2),
    open: fc.boolean(),
    usd: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(null, '1', '2.5', '-3') }, { weight: 1, arbitrary: decimalText }),
    note: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(null, '', 'x') },
      fc.nat(40).map((end) => `the same long beginning of every note, ${end}`),
    ),
  }),
});
const sort: fc.Arbitrary<Sort> = fc.record({
  column: fc.constantFrom('place', 'kind', 'open', 'usd', 'note', 'time', 'key'),
  descending: fc.boolean(),
});

test(
  '[CO28] the first rows of a sorted selection are those of the whole order, however many tie, in whatever order windows are asked for',
  patient,
  () => {
    const scenes = fc.record({
      rows: fc.array(row, { minLength: 30, maxLength: 700, size: 'max' }),
      sorts: fc.array(sort, { minLength: 1, maxLength: 3 }),
      sealed: fc.integer({ min: 0, max: 700 }),
      windows: fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(scenes, ({ rows, sorts, sealed, windows }) => {
        const table = createTable(schema, undefined, 100);
        const named = rows.map((each, i): Row => ({ ...each, key: `${keys[(i * 7) % keys.length]} ${i}` }));
        const put = (from: number, to: number) => table.put(named.slice(from, to), Array.from(named.keys()).slice(from, to));
        put(0, sealed);
        table.seal();
        put(sealed, named.length);
        const whole = Array.from(table.select({ sort: sorts }).window(0, Infinity).places);
        // segments that are sorted by a column again and again keep their rows in its order, one more each time
        for (let asked = 0; asked < 10; asked++) {
          const selection = table.select({ sort: sorts });
          for (const [offset, limit] of windows) {
            expect(Array.from(selection.window(offset, limit).places)).toEqual(whole.slice(offset, offset + limit));
          }
        }
      }),
      { numRuns: cases },
    );
  },
);

test('[CO28] rows that tie across a whole segment come in the default order also when the segment keeps its rows sorted', () => {
  const alike = (i: number) => (i % 10 === 0 ? String(i) : '-1');
  const rows = Array.from(
    { length: 1500 },
    (_, i): Row => ({ key: `row ${i}`, time: 3 * i, values: { usd: i % 7 === 0 ? null : alike(i) } }),
  );
  const table = createTable(schema, undefined, 1000);
  table.put(rows, Array.from(rows.keys()));
  table.seal();
  for (const descending of [true, false]) {
    const query = { where: [{ column: 'time', from: 300 }], sort: [{ column: 'usd', descending }] };
    const whole = Array.from(table.select(query).window(0, Infinity).places);
    for (let asked = 0; asked < 6; asked++) {
      for (const offset of [0, 110, 150]) {
        expect(Array.from(table.select(query).window(offset, 60).places)).toEqual(whole.slice(offset, offset + 60));
      }
    }
  }
});

test('[CO28] a segment keeps its rows in the exact order, also of amounts that floats do not tell apart', () => {
  // floats stand two apart here
  const rows = Array.from({ length: 900 }, (_, i): Row => {
    const usd = String(2n ** 53n + BigInt((i * 7919) % 900));
    return { key: `row ${i}`, time: i, values: { usd } };
  });
  const table = createTable(schema, undefined, 1000);
  table.put(rows, Array.from(rows.keys()));
  const chunk = new SegmentChunk(table.seal().written[0] as Segment);
  const sorter = compileSort(layoutOf(schema), new Map(), { column: 'usd', descending: false });
  const { rows: sorted, valued } = numberOrderOf(chunk, sorter);
  const exact = (row: number) => BigInt(String(rows[chunk.hot.place[row] as number]?.values['usd']));
  expect(valued).toBe(900);
  expect(Array.from(sorted, exact)).toEqual(Array.from(rows.keys(), exact).sort((a, b) => (a < b ? -1 : 1)));
});
