import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StaleSelectionError } from '#columns/errors.ts';
import type { Row, Schema } from '#columns/schema.ts';
import type { Sort } from '#columns/sorting.ts';
import type { Query } from '#columns/query.ts';
import { createTable, type Table } from '#columns/table.ts';
import type { TotalsRequest } from '#columns/totals.ts';
import { type Union, unite } from '#columns/union.ts';
import { codeValues, keyLists, keys, queriesOf, rowsOf, schemas, textLists, totalsRequestsOf } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
import { hasText, Oracle } from './oracle.ts';

type Scene = {
  readonly schema: Schema;
  readonly tables: number;
  readonly puts: readonly (readonly Row[])[];
  readonly overlay: readonly Row[];
  readonly without: readonly string[];
  readonly query: Query;
  readonly request: TotalsRequest;
  readonly windows: readonly (readonly [number, number])[];
  readonly texts: readonly string[];
};

const scenes: fc.Arbitrary<Scene> = schemas.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    tables: fc.integer({ min: 0, max: 4 }),
    puts: fc.array(rowsOf(schema, 60), { maxLength: 4 }),
    overlay: rowsOf(schema, 6),
    without: keyLists,
    query: queriesOf(schema),
    request: totalsRequestsOf(schema),
    windows: fc.array(fc.tuple(fc.nat(60), fc.nat(30)), { minLength: 1, maxLength: 4 }),
    texts: textLists,
  }),
);

const ownerOf = (key: string, tables: number) => keys.indexOf(key) % tables;

/** The same query for one of the tables: ranks of codes are by value, as `codeValues` lists them. */
function queryFor(table: Table, schema: Schema, { where, sort }: Query): Query {
  const forTable = (each: Sort): Sort => {
    const { ranks } = each;
    if (!ranks || schema[each.column] !== 'code') return each;
    const own = table.codes(each.column).map((value) => ranks[value === null ? 0 : 1 + codeValues.indexOf(value)] ?? 2 ** 31);
    return { ...each, ranks: own };
  };
  return { where: where ?? [], sort: (sort ?? []).map(forTable) };
}

function build({ schema, tables: count, puts, overlay, without }: Scene): { tables: Table[]; oracle: Oracle } {
  const oracle = new Oracle(schema);
  const tables = Array.from({ length: count }, () => createTable(schema, undefined, 7));
  let place = 0;
  const give = (rows: readonly Row[], to: (table: Table, rows: Row[], places: number[], owner: number) => void) => {
    const owned = rows.filter(() => count > 0);
    const places = owned.map(() => place++);
    for (const [owner, table] of tables.entries()) {
      const own = Array.from(owned.keys()).filter((i) => ownerOf(owned[i]?.key ?? '', count) === owner);
      to(
        table,
        own.map((i) => owned[i] as Row),
        own.map((i) => places[i] ?? -1),
        owner,
      );
    }
    return { owned, places };
  };
  for (const [turn, rows] of puts.entries()) {
    const { owned, places } = give(rows, (table, own, at, owner) => {
      table.put(own, at);
      if ((turn + owner) % 2 === 0) table.seal();
    });
    oracle.put(owned, places);
  }
  const { owned, places } = give(overlay, (table, own, at) => table.setOverlay(own, at, without));
  oracle.setOverlay(owned, places, without);
  return { tables, oracle };
}

/** Gives the union of a scene, with what the oracle expects of it, to a check. */
function forEachUnion(check: (union: Union, rows: ReturnType<Oracle['select']>, scene: Scene, oracle: Oracle) => void): void {
  fc.assert(
    fc.property(scenes, (scene) => {
      const { tables, oracle } = build(scene);
      const union = unite(tables.map((table) => table.select(queryFor(table, scene.schema, scene.query))));
      check(
        union,
        oracle.select(scene.query, () => [null, ...codeValues]),
        scene,
        oracle,
      );
    }),
    { numRuns: cases },
  );
}

test('[CO26] a union of tables has the rows of one table with all of them, in its order, in any window and by any key', patient, () => {
  forEachUnion((union, rows, { windows, tables }) => {
    expect(union.count).toBe(rows.length);
    for (const [offset, limit] of [...windows, [0, Infinity] as const, ...windows]) {
      const window = union.window(offset, limit);
      const expected = rows.slice(offset, offset + limit);
      expect(Array.from(window.places)).toEqual(expected.map(({ place }) => place));
      expect(Array.from(window.overlaid)).toEqual(expected.map(({ overlaid }) => overlaid));
      expect(Array.from(window.sources)).toEqual(expected.map(({ key }) => ownerOf(key, tables)));
    }
    const order = rows.map(({ key }) => key);
    expect(keys.map((key) => union.positionOf(key))).toEqual(keys.map((key) => order.indexOf(key)));
  });
});

test('[CO27] a union adds up totals, facets and what is among its rows as one table does, to the last digit', patient, () => {
  forEachUnion((union, rows, { request, schema, texts }, oracle) => {
    const byGroup = (totals: readonly { readonly by: readonly unknown[] }[]) =>
      new Map(totals.map((each) => [JSON.stringify(each.by), each]));
    expect(byGroup(union.totals(request))).toEqual(byGroup(oracle.totals(rows, request)));
    for (const [column, kind] of Object.entries(schema)) {
      if (kind === 'text') {
        expect(union.among(column, texts)).toEqual(texts.map((text) => rows.some((row) => hasText(row, column, [text]))));
      } else if (kind === 'code' || kind === 'small') {
        expect(new Map(union.facets(column).map(({ value, count }) => [value, count]))).toEqual(oracle.facets(rows, column));
      }
    }
    const matched = new Set(rows.map(({ key }) => key));
    expect(union.among('key', keys)).toEqual(keys.map((key) => matched.has(key)));
  });
});

test('[CO26] a union reads deep windows again without merging anew, and is stale as soon as one of its selections is', () => {
  const tables = [createTable({}), createTable({}), createTable({})];
  const rows = Array.from({ length: 9000 }, (_, i) => ({ key: `key ${i}`, time: (i * 7919) % 9001, values: {} }));
  for (const [owner, table] of tables.entries()) {
    const own = rows.filter((_, i) => i % 3 === owner);
    table.put(
      own,
      own.map(({ time }) => time),
    );
  }
  const union = unite(tables.map((table) => table.select({})));
  const expected = rows.map(({ time }) => time).sort((a, b) => b - a);
  for (const offset of [8000, 0, 5000, 1023, 1024, 1025, 8990]) {
    expect(Array.from(union.window(offset, 20).places)).toEqual(expected.slice(offset, offset + 20));
  }
  expect(() => union.window(-1, 5)).toThrow(RangeError);
  tables[1]?.seal();
  for (const use of [() => union.window(0, 1), () => union.totals({}), () => union.positionOf('key 1')])
    expect(use).toThrow(StaleSelectionError);
});
