import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowLines } from '#replica/row-lines.ts';
import { linesOf } from '#tests/support/older-rows.ts';

const field = fc.oneof(fc.constantFrom('id', 'version', 'description', '_gone', '__proto__'), fc.string());
const row = fc.dictionary(field, fc.jsonValue({ noUnicodeString: false }), { noNullPrototype: true });
// most rows have the fields of the one before
const rows = fc.array(fc.oneof(row, fc.record({ id: fc.string(), usd_value: fc.option(fc.string()), version: fc.nat() })), {
  maxLength: 40,
});

describe('[CS11] rows that an older build kept as lines', () => {
  test('are what was written, read whole or one by one, each the same object however often', () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat(40)), (written, asked) => {
        const lines = new RowLines<object>(linesOf(written));
        for (const index of asked.take(10)) {
          expect(JSON.stringify(lines.at(index))).toBe(JSON.stringify(written[index]));
          expect(lines.at(index)).toBe(lines.at(index));
        }
        expect(JSON.stringify(lines.all())).toBe(JSON.stringify(written));
        expect(lines.length).toBe(written.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('that are not what was written are refused, the others are read', () => {
    const [names, first, second] = linesOf([{ id: 'a' }, { id: 'b' }]).split('\n');
    for (const spoilt of ['[0]', '[7,"b"]', '[0,"b","c"]', '[0,"b', '{}']) {
      const lines = new RowLines([names, first, spoilt].join('\n'));
      expect(lines.at(0), spoilt).toEqual({ id: 'a' });
      expect(() => lines.at(1), spoilt).toThrow();
      expect(() => lines.all(), spoilt).toThrow();
    }
    expect(() => new RowLines([`${names},`, second].join('\n')).at(0)).toThrow();
  });
});

test('[CS11] a list of objects, as a build before that wrote them, is read as rows', () => {
  fc.assert(
    fc.property(rows, (written) => {
      const lines = new RowLines<object>(JSON.stringify(written));
      expect(JSON.stringify(lines.all())).toBe(JSON.stringify(written));
      expect(JSON.stringify(lines.at(3))).toBe(JSON.stringify(written[3]));
      expect(lines.at(written.length)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
  expect(() => new RowLines('[{"id":"a"')).toThrow();
});
