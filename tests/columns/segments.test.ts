import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row, Schema } from '#columns/schema.ts';
import { type Segment, splitSegment, verifySegment } from '#columns/segments.ts';
import { createTable } from '#columns/table.ts';
import { keys, rowsOf, schemas } from './arbitraries.ts';
import { Store } from './stored.ts';

const schema = { place: 'code', kind: 'small', usd: 'decimal', note: 'text' } as const satisfies Schema;
const row = (i: number, time: number): Row => ({
  key: `key ${i}`,
  time,
  values: { place: `p${i % 3}`, kind: i % 5, usd: `${i}.5`, note: `Note ${i}` },
});
const count = (n: number) => Array.from({ length: n }, (_, i) => i);

function arraysIn(value: unknown): Uint8Array[] {
  if (ArrayBuffer.isView(value)) return [new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  return typeof value === 'object' && value !== null && !(value instanceof Map) ? Object.values(value).flatMap(arraysIn) : [];
}

test('[CO15] a segment survives a structured clone, and any change of a byte, a number or a side value is detected', () => {
  const stories = schemas.chain((each) =>
    fc.tuple(fc.constant(each), rowsOf(each, 40), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 })),
  );
  fc.assert(
    fc.property(stories, ([each, rows, array, at, flip]) => {
      const table = createTable(each);
      table.put(
        rows,
        rows.map((_, i) => i),
      );
      for (const segment of structuredClone(table.seal().written)) {
        expect(verifySegment(segment)).toBe(true);
        const { hot, text } = splitSegment(segment);
        expect(verifySegment(hot)).toBe(true);
        expect(verifySegment({ ...hot, text })).toBe(true);
        const arrays = arraysIn([segment.hot, segment.text]).filter(({ length }) => length > 0);
        const bytes = arrays[array % arrays.length] ?? new Uint8Array();
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
        expect(verifySegment(segment)).toBe(false);
        expect(verifySegment({ ...hot, oldest: hot.oldest - 1 })).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
  const table = createTable({ usd: 'decimal' });
  table.put([{ key: 'a', time: 1, values: { usd: '9'.repeat(40) } }], [0]);
  const [segment] = structuredClone(table.seal().written);
  segment?.hot.decimals['usd']?.side.set(0, { unscaled: 1n, scale: 18 });
  expect(segment && verifySegment(segment)).toBe(false);
});

test('[CO16] every partition is in order, at most as large as allowed, disjoint from the next, and never has the number of another', () => {
  const stories = schemas.chain((each) =>
    fc.record({ schema: fc.constant(each), puts: fc.array(rowsOf(each, 50), { maxLength: 8 }), maxRows: fc.constantFrom(2, 3, 8, 40) }),
  );
  fc.assert(
    fc.property(stories, ({ schema: each, puts, maxRows }) => {
      const table = createTable(each, undefined, maxRows);
      const store = new Store();
      const seen = new Set<number>();
      for (const rows of puts) {
        table.put(
          rows,
          rows.map((_, i) => i),
        );
        if (rows[0]) table.remove([rows[0].key]);
        const written = store.seal(table).written.map(({ partition }) => partition);
        expect(written.filter((partition) => seen.has(partition))).toEqual([]);
        for (const partition of written) seen.add(partition);
        const segments = [...store.hot.values()].sort((a, b) => b.newest - a.newest || b.oldest - a.oldest || orderOf(a, b));
        expect(segments.reduce((sum, segment) => sum + segment.rows, 0)).toBe(table.size);
        expect(segments.every(({ rows: n }) => n >= 1 && n <= maxRows)).toBe(true);
        const places = segments.flatMap(({ hot }) => Array.from(hot.place));
        expect(Array.from(table.select({}).window(0, Infinity).places)).toEqual(places);
      }
    }),
    { numRuns: 200 },
  );
});

function orderOf(a: Segment, b: Segment): number {
  const at = a.hot.key.findIndex((word, i) => i < 4 && word !== b.hot.key[i]);
  return (b.hot.key[at] ?? 0) - (a.hot.key[at] ?? 0);
}

/** Seals batch after batch of 50 rows into partitions of 100. @returns the sizes of the partitions, and of those that a seal dropped. */
function load(timeOf: (i: number) => number): { sizes: number[]; dropped: number[] } {
  const table = createTable(schema, undefined, 100);
  const store = new Store();
  const dropped: number[] = [];
  for (const batch of count(15)) {
    const rows = count(batch === 3 ? 75 : 50).map((i) => row(batch * 100 + i, timeOf(batch * 100 + i)));
    table.put(
      rows,
      rows.map((_, i) => i),
    );
    const sizes = new Map(Array.from(store.hot, ([partition, segment]) => [partition, segment.rows]));
    const sealed = store.seal(table);
    expect(sealed.written.length).toBeLessThanOrEqual(2);
    dropped.push(...sealed.dropped.map((partition) => sizes.get(partition) ?? 0));
  }
  return { sizes: [...store.hot.values()].map(({ rows }) => rows), dropped };
}

test('[CO17] rows from the newest to the oldest fill the last partition and then open new ones; no full one is rewritten', () => {
  const { sizes, dropped } = load((i) => 10_000 - i);
  expect(sizes).toEqual([100, 100, 100, 100, 100, 100, 100, 75]);
  expect(Math.max(...dropped)).toBeLessThan(100);
});

test('[CO17] rows that are all newer fill the first partition and then open new ones; no full one is rewritten', () => {
  const { sizes, dropped } = load((i) => i);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([75, 100, 100, 100, 100, 100, 100, 100]);
  expect(Math.max(...dropped)).toBeLessThan(100);
});

test('[CO18] a seal rewrites the partitions that were touched and no others, and one that grew too large is halved', () => {
  const table = createTable(schema, undefined, 100);
  const store = new Store();
  const rows = count(1000).map((i) => row(i, i * 10));
  table.put(rows, count(1000));
  expect(store.seal(table).written.map((segment) => segment.rows)).toEqual(count(10).map(() => 100));
  table.put([row(555, 5551)], [0]);
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 100 }], dropped: [4] });
  table.put([row(2000, 5555)], [0]);
  expect(store.seal(table).written.map((segment) => segment.rows)).toEqual([50, 51]);
  table.remove(['key 10', 'key 910']);
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 99 }, { rows: 99 }] });
  expect(store.seal(table)).toMatchObject({ written: [], dropped: [] });
  table.remove(count(100).map((i) => `key ${i}`));
  expect(store.seal(table)).toMatchObject({ written: [], dropped: [expect.any(Number)] });
  expect(table.size).toBe(900 + 1 - 1);
});

test('[CO18] partitions that have become small are joined with their neighbours', () => {
  const table = createTable(schema, undefined, 100);
  const store = new Store();
  const rows = count(300).map((i) => row(i, i));
  table.put(rows, count(300));
  store.seal(table);
  table.remove(
    count(300)
      .filter((i) => i % 10 !== 0)
      .map((i) => `key ${i}`),
  );
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 30 }], dropped: [0, 1, 2] });
});

test('[CO19] text is not needed by a query without text, and only for the partitions of its time range by one with text', () => {
  const store = new Store();
  const first = createTable(schema, undefined, 10);
  first.put(
    count(30).map((i) => row(i, i)),
    count(30),
  );
  store.seal(first);
  const table = store.open(schema, 10);
  expect(table.select({ where: [{ column: 'kind', in: [1] }], sort: [{ column: 'usd', descending: true }] }).count).toBe(6);
  const query = {
    where: [
      { column: 'time' as const, from: 12, to: 17 },
      { column: 'note', contains: 'NOTE 1' },
    ],
  };
  const [partition, ...others] = table.needsText(query);
  expect([partition, others]).toEqual([1, []]);
  expect(() => table.select(query)).toThrow('The text of partition 1 is not loaded');
  store.load(table, 1);
  expect(table.select(query).count).toBe(6);
  expect(table.needsText({ sort: [{ column: 'note', descending: false }] })).toEqual([0, 2]);
  expect(table.needsText({ where: [{ any: [{ column: 'note', contains: '' }] }] })).toEqual([0, 2]);
  table.put([row(5, 5)], [0]);
  expect(table.textNeededToSeal()).toEqual([2]);
  expect(() => table.seal()).toThrow('The text of partition 2 is not loaded');
  expect(table.deltaRows).toBe(1);
  store.seal(table);
  expect(table.needsText({ sort: [{ column: 'note', descending: false }] })).toEqual([0]);
});

test('[CO20] the text of another partition or with a changed byte is refused, and so are segments that do not fit', () => {
  const store = new Store();
  const first = createTable(schema, undefined, 10);
  first.put(
    count(30).map((i) => row(i, i)),
    count(30),
  );
  const { written, dictionaries } = store.seal(first);
  const table = store.open(schema, 10);
  const [text, other] = [structuredClone(store.text.get(0)), store.text.get(1)];
  if (!text || !other) throw new Error('No text was stored');
  expect(() => table.loadText(0, other)).toThrow(RangeError);
  expect(() => table.loadText(99, text)).toThrow(RangeError);
  const bytes = text.columns['note']?.bytes ?? new Uint8Array();
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  expect(() => table.loadText(0, text)).toThrow(RangeError);
  expect(() => createTable({ ...schema, more: 'decimal' }, { segments: written, dictionaries })).toThrow(/"more"/);
  expect(() => createTable(schema, { segments: written, dictionaries: {} })).toThrow(/"place"/);
  const [segment] = written;
  expect(segment && (() => createTable(schema, { segments: [...written, { ...segment, partition: 9 }], dictionaries }))).toThrow(/overlap/);
  for (const maxRows of [0, 1, 1.5, 65_537]) expect(() => createTable(schema, undefined, maxRows)).toThrow(RangeError);
  expect(keys.length).toBe(new Set(keys).size);
});
