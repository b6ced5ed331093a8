import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTable } from '#columns/table.ts';
import { queriesOf, rowsOf, schemas, totalsRequestsOf } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
import { Store } from './stored.ts';

const scenes = schemas.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    maxRows: fc.constantFrom(2, 7, 40),
    pages: fc.array(rowsOf(schema, 30), { minLength: 1, maxLength: 4 }),
    unsealed: rowsOf(schema, 20),
    later: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    query: queriesOf(schema).map((query) => ({ where: query.where ?? [] })),
    request: totalsRequestsOf(schema),
  }),
);

test('[CO41] a table gives the same whether its segments were there from the start or came after newer rows', patient, () => {
  fc.assert(
    fc.property(scenes, ({ schema, maxRows, pages, unsealed, later, query, request }) => {
      const store = new Store();
      const made = createTable(schema, undefined, maxRows);
      let place = 0;
      const placesFor = (rows: readonly unknown[]) => rows.map(() => place++);
      for (const page of pages) {
        made.put(page, placesFor(page));
        store.seal(made);
      }
      const places = placesFor(unsealed);
      const whole = store.open(schema, maxRows);
      whole.put(unsealed, places);
      const parts = [...store.hot].map(([partition, hot], index) => ({
        hot: structuredClone(hot),
        partition,
        isLater: later[index % later.length],
      }));
      const stored = { segments: parts.filter(({ isLater }) => !isLater).map(({ hot }) => hot), dictionaries: store.dictionaries };
      const parted = createTable(schema, stored, maxRows);
      parted.put(unsealed, places);
      parted.attach(parts.filter(({ isLater }) => isLater).map(({ hot }) => hot));
      const answerOf = (table: typeof whole) => {
        for (const partition of table.needsText(query)) store.load(table, partition);
        const selection = table.select(query);
        return { size: table.size, places: [...selection.window(0, Infinity).places], totals: selection.totals(request) };
      };
      expect(answerOf(parted)).toEqual(answerOf(whole));
    }),
    { numRuns: cases },
  );
});
