import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextNotLoadedError } from '#columns/errors.ts';
import type { Row, Schema } from '#columns/schema.ts';
import { createTable, type Query, type Table } from '#columns/table.ts';
import type { TotalsRequest } from '#columns/totals.ts';
import { keyLists, keys, queriesOf, rowsOf, schemas, totalsRequestsOf } from './arbitraries.ts';
import { Oracle } from './oracle.ts';
import { Store } from './stored.ts';

type Step =
  | { readonly do: 'put'; readonly rows: readonly Row[] }
  | { readonly do: 'remove'; readonly keys: readonly string[] }
  | { readonly do: 'overlay'; readonly rows: readonly Row[]; readonly without: readonly string[] }
  | { readonly do: 'seal' | 'reload' }
  | { readonly do: 'look'; readonly query: Query; readonly request: TotalsRequest; readonly offset: number; readonly limit: number };

type Story = { readonly schema: Schema; readonly maxRows: number; readonly steps: readonly Step[] };

function storiesOf(lookOnly: (query: Query) => Query, most: number): fc.Arbitrary<Story> {
  return schemas.chain((schema) => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), rows: rowsOf(schema, most) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), keys: keyLists }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('overlay' as const), rows: rowsOf(schema, 6), without: keyLists }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('seal' as const, 'seal' as const, 'reload' as const) }) },
      { weight: 5, arbitrary: look(schema, lookOnly) },
    );
    return fc.record({
      schema: fc.constant(schema),
      maxRows: fc.constantFrom(2, 3, 7, 40, 65_536),
      steps: fc
        .tuple(fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }), look(schema, lookOnly))
        .map(([some, last]) => [...some, last]),
    });
  });
}

function look(schema: Schema, lookOnly: (query: Query) => Query): fc.Arbitrary<Step> {
  return fc.record({
    do: fc.constant('look' as const),
    query: queriesOf(schema).map(lookOnly),
    request: totalsRequestsOf(schema),
    offset: fc.nat(40),
    limit: fc.nat(40),
  });
}

/** Plays a story on a table and on the oracle, and hands both to `check` at each look. */
function play({ schema, maxRows, steps }: Story, check: (table: Table, oracle: Oracle, look: Extract<Step, { do: 'look' }>) => void): void {
  const oracle = new Oracle(schema);
  const store = new Store();
  let table = createTable(schema, undefined, maxRows);
  let place = 0;
  const placesFor = (rows: readonly Row[]) => rows.map(() => place++);
  for (const step of steps) {
    if (step.do === 'put') {
      const places = placesFor(step.rows);
      oracle.put(step.rows, places);
      table.put(step.rows, places);
    } else if (step.do === 'remove') {
      oracle.remove(step.keys);
      table.remove(step.keys);
    } else if (step.do === 'overlay') {
      const places = placesFor(step.rows);
      oracle.setOverlay(step.rows, places, step.without);
      table.setOverlay(step.rows, places, step.without);
    } else if (step.do === 'look') {
      loadNeeded(table, store, step.query);
      check(table, oracle, step);
    } else {
      store.seal(table);
      expect(table.deltaRows).toBe(0);
      if (step.do === 'reload') {
        table = store.open(schema, maxRows);
        oracle.setOverlay([], [], []);
      }
    }
  }
}

function loadNeeded(table: Table, store: Store, query: Query): void {
  const needed = table.needsText(query);
  if (needed.length > 0) expect(() => table.select(query)).toThrow(TextNotLoadedError);
  for (const partition of needed) store.load(table, partition);
}

const unsorted = (query: Query) => ({ ...query, sort: [] });
const sortedOnly = (query: Query) => ({ ...query, where: query.where?.slice(0, 1) ?? [] });

test('[CO1] a query matches the same rows as a plain filter over all rows, whatever was put, removed, sealed or reloaded before', () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle, { query }) => {
        const expected = oracle.select(query, (column) => table.codes(column));
        const selection = table.select(query);
        expect(selection.count).toBe(expected.length);
        const { places, overlaid } = selection.window(0, Infinity);
        expect(Array.from(places)).toEqual(expected.map(({ place }) => place));
        expect(Array.from(overlaid)).toEqual(expected.map((row) => row.overlaid));
      }),
    ),
    { numRuns: 200 },
  );
});

test('[CO2] a sort gives exactly the order of a plain sort, ties in (time descending, key descending), nulls last either way', () => {
  fc.assert(
    fc.property(storiesOf(sortedOnly, 90), (story) =>
      play(story, (table, oracle, { query }) => {
        const expected = oracle.select(query, (column) => table.codes(column));
        expect(Array.from(table.select(query).window(0, Infinity).places)).toEqual(expected.map(({ place }) => place));
      }),
    ),
    { numRuns: 200 },
  );
});

test('[CO3] any window is the same slice of the whole order, and the windows one after another are all of it', () => {
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
    { numRuns: 200 },
  );
});

test('[CO4] a sum of decimals, or of their products, equals the exact sum to the last digit, per group', () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle, { query, request }) => {
        const rows = oracle.select(query, (column) => table.codes(column));
        const byGroup = (totals: readonly { readonly by: readonly unknown[] }[]) =>
          new Map(totals.map((each) => [JSON.stringify(each.by), each]));
        expect(byGroup(table.select(query).totals(request))).toEqual(byGroup(oracle.totals(rows, request)));
      }),
    ),
    { numRuns: 200 },
  );
});

test('[CO5] facets count every value that occurs, and no other', () => {
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
    { numRuns: 200 },
  );
});

test('[CO6] the position of a key is its index in the order, -1 when its row is not matched', () => {
  fc.assert(
    fc.property(storiesOf(sortedOnly, 60), (story) =>
      play(story, (table, oracle, { query }) => {
        const expected = oracle.select(query, (column) => table.codes(column)).map(({ key }) => key);
        const selection = table.select(query);
        expect(keys.map((key) => selection.positionOf(key))).toEqual(keys.map((key) => expected.indexOf(key)));
      }),
    ),
    { numRuns: 200 },
  );
});

test('[CO7] size counts the visible rows; has and placeOf answer for the base, the overlay aside', () => {
  fc.assert(
    fc.property(storiesOf(unsorted, 60), (story) =>
      play(story, (table, oracle) => {
        expect(table.size).toBe(oracle.visible().length);
        expect(keys.map((key) => table.placeOf(key))).toEqual(keys.map((key) => oracle.base.get(key)?.place));
        expect(keys.filter((key) => table.has(key))).toEqual(keys.filter((key) => oracle.base.has(key)));
      }),
    ),
    { numRuns: 200 },
  );
});
