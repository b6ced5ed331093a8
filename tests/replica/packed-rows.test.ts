import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PackedRows, RowPacker } from '#replica/packed-rows.ts';

const digit = fc.constantFrom(...'0123456789.-:TZ+'.split(''));
const hex = fc.constantFrom(...'0123456789abcdef'.split(''));
/** Texts such as rows have, and some that are almost such. */
const text = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replace('-', '0')),
  fc.string({ unit: hex, maxLength: 80 }),
  fc.string({ unit: hex, maxLength: 80 }).map((bytes) => `0x${bytes}`),
  fc.string({ unit: digit, maxLength: 40 }),
  fc.string({ unit: digit, minLength: 250, maxLength: 260 }),
  fc.string({ unit: hex, minLength: 250, maxLength: 260 }).map((bytes) => `0x${bytes}`),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', '0', '0x', '0xg0', '\ud800', 'é', 'Ā', '000000000000000\u1000', 'x'.repeat(5000), '漢'.repeat(5000)),
);
const value = fc.oneof(
  text,
  text,
  fc.boolean(),
  fc.integer(),
  fc.nat(80),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, 2 ** 31, -(2 ** 31), 2 ** 53),
  fc.jsonValue({ noUnicodeString: false }),
);
const field = fc.oneof(fc.constantFrom('id', 'version', 'description', '_gone', '__proto__', '0'), fc.string());
const row = fc.dictionary(field, value, { noNullPrototype: true });
const known = fc.record({ id: fc.uuid(), entity_id: text, usd_value: fc.option(text), version: fc.nat() });
// most rows have the fields of the one before, and some their values
const rows = fc
  .array(fc.oneof(row, known, known), { maxLength: 40 })
  .chain((some) => fc.shuffledSubarray([...some, ...some], { minLength: some.length }));

const packed = (written: readonly object[]): Uint8Array => new RowPacker().pack(written);

describe('[CS10] packed rows', () => {
  test('are what was written, read whole or one by one, each the same object however often', () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat(80)), (written, asked) => {
        const read = new PackedRows<object>(packed(written));
        for (const index of asked.take(10)) {
          expect(JSON.stringify(read.at(index))).toBe(JSON.stringify(written[index]));
          expect(read.at(index)).toBe(read.at(index));
        }
        expect(JSON.stringify(read.all())).toBe(JSON.stringify(written));
        expect(read.length).toBe(written.length);
      }),
      { numRuns: 1500 },
    );
  });

  test('are the same whatever was packed before them', () => {
    fc.assert(
      fc.property(rows, rows, (before, written) => {
        const packer = new RowPacker();
        for (let times = 0; times < 5; times++) packer.pack(before);
        expect(JSON.stringify(new PackedRows<object>(packer.pack(written)).all())).toBe(JSON.stringify(written));
      }),
      { numRuns: 300 },
    );
  });

  test('leave out a field without a value, as JSON does, and say once what their fields are called', () => {
    const written = [{ id: 'a', note: undefined }, { id: 'b', note: 'Ā' }, { id: 'c' }];
    expect(new PackedRows(packed(written)).all()).toStrictEqual([{ id: 'a' }, { id: 'b', note: 'Ā' }, { id: 'c' }]);
    const bytes = packed(Array.from({ length: 9 }, (_, id) => ({ id, description: 'x' })));
    expect(String.fromCharCode(...bytes).split('description')).toHaveLength(2);
  });

  test('take up less than half of their text: ids, hashes, amounts and moments as bytes, and what comes again as a place', () => {
    const entity = '018f7c2e-0000-7000-8000-00000000abcd';
    const written = Array.from({ length: 64 }, (_, no) => ({
      id: `018f7c2e-0000-7000-8000-0000000${String(10_000 + no)}`,
      entity_id: entity,
      trx_date: new Date(no * 86_400_000).toISOString(),
      usd_value: `${no}123.4567`,
      tx_hash: `0x${'0123456789abcdef'.repeat(4)}`,
      description: no % 2 === 0 ? null : `Deposit ${no}`,
    }));
    expect(packed(written).length).toBeLessThan(JSON.stringify(written.map((each) => Object.values(each))).length / 2);
  });

  test('of which a single byte is another are refused, all of them', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, place, by) => {
        const bytes = packed(written);
        const at = place % bytes.length;
        bytes[at] = (bytes[at] as number) ^ by;
        expect(() => new PackedRows(bytes)).toThrow();
        const cut = packed(written);
        expect(() => new PackedRows(cut.slice(0, place % cut.length))).toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
