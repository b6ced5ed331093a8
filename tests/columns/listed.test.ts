import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition } from '#columns/conditions.ts';
import type { Row, Schema } from '#columns/schema.ts';
import { createTable } from '#columns/table.ts';
import { cases, patient } from './cases.ts';
import { Oracle } from './oracle.ts';

const schema = {
  account: 'code',
  entity: 'code',
  kind: 'small',
  manual: 'flag',
  late: 'flag',
  usd: 'decimal',
  fee: 'decimal',
} as const satisfies Schema;
const accounts = Array.from({ length: 40 }, (_, i) => `account ${i}`);
const days = 300;

/** Rows of many accounts, each with few of them, as ledgers have. */
const rows: readonly Row[] = Array.from({ length: 2_000 }, (_, i) => {
  const mixed = (i * 7919) % 2_003;
  return {
    key: `key ${i}`,
    time: (mixed * 31) % days,
    values: {
      account: accounts[(mixed * mixed) % accounts.length] ?? null,
      entity: `entity ${mixed % 9}`,
      kind: mixed % 11,
      manual: mixed % 3 === 0,
      late: mixed % 5 < 2,
      usd: mixed % 7 === 0 ? null : `${mixed - 900}.25`,
      // many alike, of several limbs, and some too long for limbs
      fee: mixed % 4 === 0 ? null : mixed % 37 === 1 ? `0.${mixed}${'1'.repeat(70)}` : `${(mixed % 5) - 2}.${'12345678'.repeat(3)}`,
    },
  };
});

const some = <T>(of: readonly T[], maxLength: number) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength });
const fewAccounts = some(accounts, 4).map((values): Condition => ({ column: 'account', in: values }));
const span = fc
  .tuple(fc.nat(days), fc.nat(days))
  .map(([a, b]): Condition => ({ column: 'time', from: Math.min(a, b), to: Math.max(a, b) }));
const others: fc.Arbitrary<Condition> = fc.oneof(
  span,
  fc.tuple(some([...Array(11).keys()], 5), fc.boolean()).map(([values, not]): Condition => ({ column: 'kind', in: values, not })),
  fc.record({ flag: fc.constantFrom('manual', 'late'), is: fc.boolean() }),
  some(
    Array.from({ length: 9 }, (_, i) => `entity ${i}`),
    4,
  ).map((values): Condition => ({ column: 'entity', in: values })),
  fc.constant<Condition>({ column: 'usd', atLeast: '-100', below: '700.5' }),
);
const gone = fc.uniqueArray(fc.nat(rows.length - 1), { maxLength: 40 });

test(
  '[CO43] rows of a few values among many are found through a list of them as they are by looking at each, with whatever else is asked',
  patient,
  () => {
    const questions = fc.array(fc.tuple(fewAccounts, fc.array(others, { maxLength: 4 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(700, 2_000), gone, gone, questions, (maxRows, removed, hidden, asked) => {
        const [table, oracle] = [createTable(schema, undefined, maxRows), new Oracle(schema)];
        const places = rows.map((_, i) => i);
        table.put(rows, places);
        oracle.put(rows, places);
        table.seal();
        const keysOf = (indexes: readonly number[]) => indexes.map((i) => `key ${i}`);
        table.remove(keysOf(removed));
        oracle.remove(keysOf(removed));
        table.setOverlay([], [], keysOf(hidden));
        oracle.setOverlay([], [], keysOf(hidden));
        const expectations = asked.map(([few, more]) => {
          const where = [few, ...more];
          return { where, expected: oracle.select({ where }, (column) => table.codes(column)).map(({ place }) => place) };
        });
        // the first times are what a segment learns by
        for (let time = 0; time < 4; time += 1) {
          for (const { where, expected } of expectations) {
            const selection = table.select({ where });
            expect(selection.count).toBe(expected.length);
            expect(Array.from(selection.window(0, Infinity).places)).toEqual(expected);
          }
        }
      }),
      { numRuns: cases },
    );
  },
);

test(
  '[CO45] of the rows of a few values the largest or smallest by an amount come first, as they do when all rows are sorted',
  patient,
  () => {
    const sorts = fc.record({ column: fc.constantFrom('usd', 'fee'), descending: fc.boolean() });
    const questions = fc.array(fc.tuple(fewAccounts, fc.array(others, { maxLength: 1 }), sorts), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(700, 2_000), gone, questions, fc.integer({ min: 1, max: 60 }), (maxRows, removed, asked, limit) => {
        const [table, oracle] = [createTable(schema, undefined, maxRows), new Oracle(schema)];
        const places = rows.map((_, i) => i);
        table.put(rows, places);
        oracle.put(rows, places);
        table.seal();
        const keys = removed.map((i) => `key ${i}`);
        table.remove(keys);
        oracle.remove(keys);
        const expectations = asked.map(([few, more, sort]) => {
          const query = { where: [few, ...more], sort: [sort] };
          return { query, expected: oracle.select(query, (column) => table.codes(column)).map(({ place }) => place) };
        });
        // the first times are what each segment learns by
        for (let time = 0; time < 6; time += 1) {
          for (const { query, expected } of expectations) {
            const selection = table.select(query);
            expect(selection.count).toBe(expected.length);
            expect(Array.from(selection.window(0, limit).places)).toEqual(expected.slice(0, limit));
          }
        }
      }),
      { numRuns: cases },
    );
  },
);
