import { expect, test } from 'vitest';
import { StaleSelectionError } from '#columns/errors.ts';
import type { Schema, Value } from '#columns/schema.ts';
import { schemaFingerprint } from '#columns/schema.ts';
import type { Query } from '#columns/query.ts';
import { createTable } from '#columns/table.ts';

const schema = { place: 'code', kind: 'small', open: 'flag', usd: 'decimal', note: 'text' } as const satisfies Schema;
const row = (key: string, time: number, values: Record<string, Value> = {}) => ({ key, time, values });

test('[CO9] a value that cannot be stored throws a RangeError naming column and value, before anything changes', () => {
  const table = createTable(schema);
  table.put([row('a', 1, { place: 'x', usd: '1' })], [7]);
  const revision = table.revision;
  const wrong: [Record<string, Value>, RegExp][] = [
    [{ usd: 'NaN' }, /"usd": "NaN"/],
    [{ usd: '1e5' }, /"usd": "1e5"/],
    [{ usd: '' }, /"usd": ""/],
    [{ usd: 5 }, /"usd": 5/],
    [{ kind: 255 }, /"kind": 255/],
    [{ kind: -1 }, /"kind": -1/],
    [{ kind: 1.5 }, /"kind": 1.5/],
    [{ open: null }, /"open": null/],
    [{ place: 3 }, /"place": 3/],
    [{ note: true }, /"note": true/],
    [{ nowhere: 'x' }, /"nowhere"/],
  ];
  for (const [values, message] of wrong) {
    const rows = [row('a', 2, { place: 'new' }), row('b', 3, values)];
    expect(() => table.put(rows, [8, 9])).toThrow(RangeError);
    expect(() => table.put(rows, [8, 9])).toThrow(message);
    expect(() => table.setOverlay(rows, [8, 9])).toThrow(message);
  }
  for (const time of [1.5, Number.NaN, 2 ** 53]) expect(() => table.put([row('b', time)], [1])).toThrow(/"time"/);
  for (const place of [-1, 0.5, 2 ** 32]) expect(() => table.put([row('b', 1)], [place])).toThrow(RangeError);
  expect(() => table.put([row('b', 1)], [])).toThrow(RangeError);
  expect([table.revision, table.size, table.placeOf('a'), table.has('b')]).toEqual([revision, 1, 7, false]);
  expect(table.codes('place')).toEqual([null, 'x']);
});

test('[CO11] an unknown column, one of the wrong kind and a malformed bound throw a RangeError', () => {
  const table = createTable(schema);
  const wrong: Query[] = [
    { where: [{ column: 'nowhere', in: ['x'] }] },
    { where: [{ flag: 'kind', is: true }] },
    { where: [{ column: 'usd', in: ['1'] }] },
    { where: [{ column: 'place', contains: 'x' }] },
    { where: [{ column: 'note', atLeast: '1' }] },
    { where: [{ any: [{ column: 'nowhere', contains: 'x' }] }] },
    { sort: [{ column: 'nowhere', descending: true }] },
    ...['', '1e5', 'NaN'].map((bound) => ({ where: [{ column: 'usd', below: bound }] })),
  ];
  for (const query of wrong) expect(() => table.select(query)).toThrow(RangeError);
  const selection = table.select({});
  for (const column of ['usd', 'note', 'nowhere']) expect(() => selection.facets(column)).toThrow(RangeError);
  expect(() => selection.totals({ sums: ['kind'] })).toThrow(RangeError);
  expect(() => selection.totals({ groupBy: ['place', 'kind', 'place'] })).toThrow(RangeError);
  expect(() => selection.window(-1, 5)).toThrow(RangeError);
  expect(() => table.codes('usd')).toThrow(RangeError);
});

test('[CO12] a selection tells that it is not of this moment; it still reads what it matched until a seal, then throws', () => {
  const table = createTable(schema);
  table.put([row('a', 2), row('b', 1)], [0, 1]);
  const changes = [
    () => table.put([row('a', 3)], [2]),
    () => table.remove(['b']),
    () => table.setOverlay([row('c', 9)], [3]),
    () => table.setOverlay([], []),
  ];
  for (const change of changes) {
    const selection = table.select({});
    const before = Array.from(selection.window(0, 9).places);
    expect(selection.revision).toBe(table.revision);
    change();
    expect(selection.revision).not.toBe(table.revision);
    expect(Array.from(selection.window(0, 9).places)).toEqual(before);
  }
  const selection = table.select({});
  table.seal();
  expect(selection.revision).not.toBe(table.revision);
  const uses = [
    () => selection.window(0, 1),
    () => [...selection.windows()],
    () => selection.totals({}),
    () => selection.facets('kind'),
    () => selection.positionOf('a'),
  ];
  for (const use of uses) expect(use).toThrow(StaleSelectionError);
  const fresh = table.select({});
  table.seal();
  expect(fresh.window(0, 1).places).toHaveLength(1);
});

test('[CO13] clearing the overlay gives back the base as it was', () => {
  const table = createTable(schema);
  table.put([row('a', 3), row('b', 2)], [0, 1]);
  table.seal();
  table.put([row('c', 1)], [2]);
  table.setOverlay([row('b', 9), row('d', 8)], [0, 1], ['c']);
  const over = table.select({}).window(0, 9);
  expect([Array.from(over.places), Array.from(over.overlaid)]).toEqual([
    [0, 1, 0],
    [1, 1, 0],
  ]);
  table.put([row('b', 7)], [5]);
  expect(table.size).toBe(3);
  table.setOverlay([], []);
  expect(Array.from(table.select({}).window(0, 9).places)).toEqual([5, 0, 2]);
});

test('[CO14] schemas with interchangeable segments share a fingerprint, others do not; a schema that cannot be stored is refused', () => {
  const fingerprint = schemaFingerprint(schema);
  expect(schemaFingerprint({ note: 'text', usd: 'decimal', open: 'flag', kind: 'small', place: 'code' })).toBe(fingerprint);
  const others: Schema[] = [{ ...schema, kind: 'code' }, { ...schema, more: 'flag' }, { place: 'code' }];
  for (const other of others) expect(schemaFingerprint(other)).not.toBe(fingerprint);
  expect(schemaFingerprint({ a: 'flag', b: 'flag' })).not.toBe(schemaFingerprint({ b: 'flag', a: 'flag' }));
  for (const name of ['time', 'key']) expect(() => createTable({ [name]: 'small' })).toThrow(RangeError);
  expect(() => createTable(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, 'flag' as const])))).toThrow(RangeError);
});
