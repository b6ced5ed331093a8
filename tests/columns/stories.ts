import fc from 'fast-check';
import { expect } from 'vitest';
import { TextNotLoadedError } from '#columns/errors.ts';
import type { Rewriting } from '#columns/rewriting.ts';
import type { Row, Schema } from '#columns/schema.ts';
import type { Query } from '#columns/query.ts';
import { createTable, type Table } from '#columns/table.ts';
import type { TotalsRequest } from '#columns/totals.ts';
import { keyLists, queriesOf, rowsOf, schemas, totalsRequestsOf } from './arbitraries.ts';
import { Oracle } from './oracle.ts';
import { Store } from './stored.ts';

export type Look = {
  readonly do: 'look';
  readonly query: Query;
  readonly request: TotalsRequest;
  readonly offset: number;
  readonly limit: number;
};
type Overlay = { readonly do: 'overlay'; readonly rows: readonly Row[]; readonly without: readonly string[] };

type Step =
  | { readonly do: 'put'; readonly rows: readonly Row[] }
  | { readonly do: 'remove'; readonly keys: readonly string[] }
  | Overlay
  | { readonly do: 'seal' | 'reload' | 'compact' | 'compact thoroughly' }
  /** A seal or a compaction in slices, with something in between, that is perhaps abandoned. */
  | {
      readonly do: 'slices';
      readonly compacts: boolean;
      readonly between: readonly (Look | Overlay)[];
      readonly steps: number;
      readonly ends: boolean;
    }
  | Look;

export type Story = { readonly schema: Schema; readonly maxRows: number; readonly steps: readonly Step[] };

/** Random lives of a table, with looks at it that `lookOnly` makes of any query; puts of at most `most` rows. */
export function storiesOf(lookOnly: (query: Query) => Query, most: number): fc.Arbitrary<Story> {
  return schemas.chain((schema) => {
    const overlay = fc.record({ do: fc.constant('overlay' as const), rows: rowsOf(schema, 6), without: keyLists });
    const slices = fc.record({
      do: fc.constant('slices' as const),
      compacts: fc.boolean(),
      between: fc.array(fc.oneof(look(schema, lookOnly), overlay), { maxLength: 2 }),
      steps: fc.nat(30),
      ends: fc.boolean(),
    });
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), rows: rowsOf(schema, most) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), keys: keyLists }) },
      { weight: 1, arbitrary: overlay },
      { weight: 1, arbitrary: slices },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('seal', 'seal', 'seal', 'reload', 'compact', 'compact thoroughly') }) },
      { weight: 5, arbitrary: look(schema, lookOnly) },
    );
    return fc.record({
      schema: fc.constant(schema),
      maxRows: fc.constantFrom(2, 3, 7, 40, 65_536),
      steps: fc
        .tuple(fc.array(step as fc.Arbitrary<Step>, { minLength: 2, maxLength: 12, size: 'max' }), look(schema, lookOnly))
        .map(([some, last]) => [...some, last]),
    });
  });
}

function look(schema: Schema, lookOnly: (query: Query) => Query): fc.Arbitrary<Look> {
  return fc.record({
    do: fc.constant('look' as const),
    query: queriesOf(schema).map(lookOnly),
    request: totalsRequestsOf(schema),
    offset: fc.nat(40),
    limit: fc.nat(40),
  });
}

type Check = (table: Table, oracle: Oracle, look: Look) => void;

/** Plays a story on a table and on the oracle, and hands both to `check` at each look. */
export function play({ schema, maxRows, steps }: Story, check: Check): void {
  const oracle = new Oracle(schema);
  const store = new Store();
  let table = createTable(schema, undefined, maxRows);
  let place = 0;
  const placesFor = (rows: readonly Row[]) => rows.map(() => place++);
  const between = (step: Look | Overlay) => {
    if (step.do === 'look') {
      loadNeeded(table, store, step.query);
      check(table, oracle, step);
    } else {
      const places = placesFor(step.rows);
      oracle.setOverlay(step.rows, places, step.without);
      table.setOverlay(step.rows, places, step.without);
    }
  };
  for (const step of steps) {
    if (step.do === 'look' || step.do === 'overlay') between(step);
    else if (step.do === 'put') {
      const places = placesFor(step.rows);
      oracle.put(step.rows, places);
      table.put(step.rows, places);
    } else if (step.do === 'remove') {
      oracle.remove(step.keys);
      table.remove(step.keys);
    } else if (step.do === 'slices') {
      const rewriting = begin(table, store, step.compacts);
      if (!rewriting) continue;
      for (let i = 0; i < step.steps && rewriting.step(); i++);
      step.between.forEach(between);
      expect(() => table.put([], [])).toThrow(/begun/);
      expect(() => table.remove([])).toThrow(/begun/);
      if (step.ends) store.keep(rewriting.finish());
      else rewriting.abandon();
    } else if (step.do === 'compact' || step.do === 'compact thoroughly') store.compact(table, step.do === 'compact thoroughly');
    else {
      store.seal(table);
      expect(table.deltaRows).toBe(0);
      if (step.do === 'reload') {
        table = store.open(schema, maxRows);
        oracle.setOverlay([], [], []);
      }
    }
  }
}

function begin(table: Table, store: Store, compacts: boolean): Rewriting | null {
  for (const partition of compacts ? table.textNeededToCompact() : table.textNeededToSeal()) store.load(table, partition);
  return compacts ? table.beginCompaction() : table.beginSeal();
}

function loadNeeded(table: Table, store: Store, query: Query): void {
  const needed = table.needsText(query);
  if (needed.length > 0) expect(() => table.select(query)).toThrow(TextNotLoadedError);
  for (const partition of needed) store.load(table, partition);
}
