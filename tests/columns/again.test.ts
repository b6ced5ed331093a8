import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Query } from '#columns/query.ts';
import type { Selection } from '#columns/selection.ts';
import { createTable, type Table } from '#columns/table.ts';
import type { TotalsRequest } from '#columns/totals.ts';
import { cases, patient } from './cases.ts';
import type { Oracle } from './oracle.ts';
import { play, storiesOf } from './stories.ts';

const anyQuery = (query: Query) => ({ ...query, sort: query.sort?.map(({ column, descending }) => ({ column, descending })) ?? [] });

/** One query that stands through a story: taken again at every look, never selected anew while its table lives. */
class Standing {
  private table: Table | null = null;
  private query: Query = {};
  private request: TotalsRequest = {};
  private selection: Selection | null = null;

  look(table: Table, oracle: Oracle, { query, request }: { query: Query; request: TotalsRequest }): void {
    if (this.table !== table || !this.selection) {
      if (table.needsText(query).length > 0) return;
      Object.assign(this, { table, query, request, selection: table.select(query) });
    } else {
      // texts of segments opened from the store may be missing for rows that come back
      if (table.needsText(this.query).length > 0) return;
      this.selection = this.selection.again();
    }
    this.check(oracle, (column) => table.codes(column));
  }

  private check(oracle: Oracle, codes: (column: string) => readonly (string | null)[]): void {
    if (!this.selection) return;
    const expected = oracle.select(this.query, codes);
    expect(Array.from(this.selection.window(0, Infinity).places)).toEqual(expected.map(({ place }) => place));
    const sorted = (totals: readonly { by: unknown }[]) =>
      totals.toSorted((a, b) => (JSON.stringify(a.by) < JSON.stringify(b.by) ? -1 : 1));
    expect(sorted(this.selection.totals(this.request))).toEqual(sorted(oracle.totals(expected, this.request)));
  }
}

test(
  '[CO40] a standing query taken again gives what it would give selected anew, whatever was put, removed, edited or sealed since',
  patient,
  () => {
    fc.assert(
      fc.property(storiesOf(anyQuery, 40), (story) => {
        const standing = new Standing();
        play(story, (table, oracle, look) => standing.look(table, oracle, look));
      }),
      { numRuns: cases },
    );
  },
);

test('[CO40] rows that an edit hides, in whatever places of a long segment, are found again when the edit is gone', patient, () => {
  const row = (i: number, kind: number) => ({ key: `row ${i}`, time: i, values: { kind } });
  const rows = Array.from({ length: 300 }, (_, i) => row(i, i % 3));
  const steps = fc.array(fc.uniqueArray(fc.nat(299), { maxLength: 5 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(steps, fc.constantFrom([], [{ column: 'kind', in: [0, 2] }]), (edited, where) => {
      const table = createTable({ kind: 'small' }, undefined, 128);
      table.put(rows, Array.from(rows.keys()));
      table.seal();
      let standing = table.select({ where });
      for (const places of edited) {
        table.setOverlay(
          places.map((i) => row(i, 1)),
          places.map((i) => 300 + i),
        );
        standing = standing.again();
        const anew = table.select({ where });
        expect(Array.from(standing.window(0, Infinity).places)).toEqual(Array.from(anew.window(0, Infinity).places));
        expect(standing.count).toBe(anew.count);
      }
    }),
    { numRuns: cases },
  );
});
