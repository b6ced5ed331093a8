import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row, Schema } from '#columns/schema.ts';
import { type Segment, splitSegment, verifySegment } from '#columns/segments.ts';
import { marked } from '#columns/decimal-columns.ts';
import { StaleSelectionError } from '#columns/errors.ts';
import { createTable, type Table } from '#columns/table.ts';
import { rowsOf, schemas } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
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

test('[CO15] a segment survives a structured clone, and any change of a byte, a number or a side value is detected', patient, () => {
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
        const { hot, texts } = splitSegment(segment);
        expect(verifySegment(hot)).toBe(true);
        expect(verifySegment({ ...hot, text: Object.fromEntries(texts) })).toBe(true);
        const arrays = arraysIn([segment.hot, segment.text]).filter(({ length }) => length > 0);
        const bytes = arrays[array % arrays.length] ?? new Uint8Array();
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
        expect(verifySegment(segment)).toBe(false);
        expect(verifySegment({ ...hot, oldest: hot.oldest - 1 })).toBe(false);
        const time = { ...hot.hot.time, base: hot.hot.time.base + 1 };
        expect(verifySegment({ ...hot, hot: { ...hot.hot, time } })).toBe(false);
        for (const [name, column] of Object.entries(hot.hot.decimals)) {
          const decimals = { ...hot.hot.decimals, [name]: { ...column, scale: column.scale + 1 } };
          expect(verifySegment({ ...hot, hot: { ...hot.hot, decimals } })).toBe(false);
        }
      }
    }),
    { numRuns: cases },
  );
  const table = createTable({ usd: 'decimal' });
  table.put([{ key: 'a', time: 1, values: { usd: '9'.repeat(40) } }], [0]);
  const [segment] = structuredClone(table.seal().written);
  segment?.hot.decimals['usd']?.side.set(0, { unscaled: 1n, scale: 18 });
  expect(segment && verifySegment(segment)).toBe(false);
});

test(
  '[CO16] every partition is in order, at most as large as allowed, as narrow as can be, and never has the number of another',
  patient,
  () => {
    const stories = schemas.chain((each) =>
      fc.record({ schema: fc.constant(each), puts: fc.array(rowsOf(each, 50), { maxLength: 8 }), maxRows: fc.constantFrom(3, 8, 40) }),
    );
    fc.assert(
      fc.property(stories, ({ schema: each, puts, maxRows }) => {
        const table = createTable(each, undefined, maxRows);
        const store = new Store();
        const seen = new Set<number>();
        for (const [turn, rows] of puts.entries()) {
          table.put(
            rows,
            rows.map((_, i) => i),
          );
          if (rows[0]) table.remove([rows[0].key]);
          const written = store.seal(table).written.map(({ partition }) => partition);
          if (turn % 3 === 2) store.compact(table, turn === 5);
          expect(written.filter((partition) => seen.has(partition))).toEqual([]);
          for (const partition of written) seen.add(partition);
          const segments = [...store.hot.values()];
          expect(segments.reduce((sum, segment) => sum + segment.rows, 0)).toBe(table.size);
          for (const segment of segments) {
            expect(segment.rows >= 1 && segment.rows <= maxRows).toBe(true);
            expectInOrder(segment);
            expectNarrow(segment);
          }
        }
      }),
      { numRuns: cases },
    );
  },
);

test('[CO16] codes, times and nulls take no more room than they need', () => {
  const table = createTable({ few: 'code', some: 'code', many: 'code', seldom: 'decimal' }, undefined, 65_536);
  const rows = count(66_000).map((i): Row => {
    const values = { few: `${i % 250}`, some: `${i % 300}`, many: `${i}`, seldom: i % 10 === 0 ? `${i}.5` : null };
    return { key: `key ${i}`, time: 1_000_000_000_000 - i * 60_000, values };
  });
  table.put(rows, count(66_000));
  const { written } = table.seal();
  const first = written[0]?.hot;
  expect(['few', 'some', 'many'].map((name) => first?.codes[name]?.BYTES_PER_ELEMENT)).toEqual([1, 2, 4]);
  expect([first?.time.unit, first?.time.at.BYTES_PER_ELEMENT]).toEqual([1000, 4]);
  expect([first?.place.starts.length, first?.decimals['seldom']?.top?.length]).toEqual([1, 6554]);
  const totals = table.select({ where: [{ column: 'seldom', above: '0' }] });
  expect([totals.count, table.placeOf('key 65999')]).toEqual([6600, 65_999]);
});

function timesOf({ rows, hot }: Segment): number[] {
  return count(rows).map((i) => hot.time.base + hot.time.unit * (hot.time.at[i] ?? Number.NaN));
}

function expectInOrder(segment: Segment): void {
  const times = timesOf(segment);
  expect([segment.newest, segment.oldest]).toEqual([times[0], times.at(-1)]);
  const keyAt = (i: number) => Array.from(segment.hot.key.slice(i * 4, i * 4 + 4), (word) => word.toString(16).padStart(8, '0')).join('');
  for (let i = 1; i < segment.rows; i++) {
    const [before, after] = [times[i - 1] ?? 0, times[i] ?? 0];
    expect(before > after || (before === after && keyAt(i - 1) > keyAt(i))).toBe(true);
  }
}

function expectNarrow({ newest, oldest, hot }: Segment): void {
  for (const codes of Object.values(hot.codes)) {
    expect(codes.BYTES_PER_ELEMENT).toBe(Math.max(...codes) < 256 ? 1 : Math.max(...codes) < 65_536 ? 2 : 4);
  }
  if (newest - oldest < 2 ** 32) expect(hot.time.at.BYTES_PER_ELEMENT).toBe(4);
  for (const { top } of Object.values(hot.decimals)) expect(top?.some((head) => head !== marked)).not.toBe(false);
}

/** Seals batch after batch of `size` rows into partitions of 100, and compacts after each. */
function load(timeOf: (i: number) => number, batches: number, size: number): { table: Table; store: Store } {
  const table = createTable(schema, undefined, 100);
  const store = new Store();
  for (const batch of count(batches)) {
    const rows = count(size).map((i) => row(batch * size + i, timeOf(batch * size + i)));
    table.put(
      rows,
      rows.map((_, i) => i),
    );
    expect(store.seal(table)).toMatchObject({ written: [{ rows: size }], dropped: [] });
    store.compact(table);
  }
  return { table, store };
}

test('[CO17] rows all older, or all newer, than those before are sealed beside them, and merged once into full partitions', () => {
  for (const timeOf of [(i: number) => 10_000 - i, (i: number) => i]) {
    const { store } = load(timeOf, 33, 25);
    expect([...store.hot.values()].map(({ rows }) => rows).sort((a, b) => b - a)).toEqual([...count(8).map(() => 100), 25]);
    expect(store.written).toBe(2 * 800 + 25);
  }
});

test('[CO44] the newest rows, up to a quarter of a full partition, are merged with one another alone', () => {
  const newestFirst = ({ hot }: Store) => [...hot.values()].sort((a, b) => b.newest - a.newest).map(({ rows }) => rows);
  const { table, store } = load((i) => 10_000 - i, 41, 10);
  // two of the newest, and the others in full partitions but for what is too little for one
  expect(newestFirst(store)).toEqual([10, 10, ...count(3).map(() => 100), 80, 10]);
  store.compact(table, true);
  expect(newestFirst(store)).toEqual([20, ...count(3).map(() => 100), 90]);
  for (const [key, time] of [20_000, 20_001].entries()) {
    table.put([row(1000 + key, time)], [0]);
    store.seal(table);
    store.compact(table, true);
  }
  expect(newestFirst(store)).toEqual([22, ...count(3).map(() => 100), 90]);
});

test('[CO17] rows in any order are copied O(log n) times, and a thorough compaction leaves full partitions that do not overlap', () => {
  const batches = 126;
  const { table, store } = load((i) => (i * 7919) % 100_003, batches, 50);
  expect(store.written / (50 * batches)).toBeLessThan(1 + Math.log2(batches));
  expect(deepest([...store.hot.values()])).toBeLessThan(2 * Math.log2(batches));
  const places = () => Array.from(table.select({}).window(0, Infinity).places);
  const before = places();
  store.compact(table, true);
  const segments = [...store.hot.values()].sort((a, b) => b.newest - a.newest);
  expect(segments.map(({ rows }) => rows)).toEqual(count((50 * batches) / 100).map(() => 100));
  expect(deepest(segments)).toBe(1);
  expect(places()).toEqual(before);
  expect(table.beginCompaction(true)).toBeNull();
});

/** How many partitions overlap at most at one time. */
function deepest(segments: readonly Segment[]): number {
  return Math.max(...segments.map(({ newest }) => segments.filter((other) => other.newest >= newest && other.oldest <= newest).length));
}

test('[CO18] a seal rewrites the partitions that lost rows and no others, and one that grew too large is halved', () => {
  const table = createTable(schema, undefined, 100);
  const store = new Store();
  const rows = count(1000).map((i) => row(i, i * 10));
  table.put(rows, count(1000));
  expect(store.seal(table).written.map((segment) => segment.rows)).toEqual(count(10).map(() => 100));
  table.put([row(555, 5551)], [0]);
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 100 }], dropped: [4] });
  table.put([row(2000, 5555)], [0]);
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 1 }], dropped: [] });
  table.put([row(155, 1551), row(3000, 1555), row(3001, 1556)], [0, 0, 0]);
  expect(store.seal(table).written.map((segment) => segment.rows)).toEqual([51, 51]);
  table.remove(['key 10', 'key 910']);
  expect(store.seal(table)).toMatchObject({ written: [{ rows: 99 }, { rows: 99 }] });
  expect(store.seal(table)).toMatchObject({ written: [], dropped: [] });
  table.remove(count(100).map((i) => `key ${i}`));
  expect(store.seal(table)).toMatchObject({ written: [], dropped: [expect.any(Number)] });
  expect(table.size).toBe(900 + 3 - 1);
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
  expect(store.seal(table).written.map((segment) => segment.rows)).toEqual([10, 10, 10]);
  expect(table.beginCompaction()).toBeNull();
  store.compact(table, true);
  expect([...store.hot.values()].map((segment) => segment.rows).sort()).toEqual([10, 20]);
});

test('[CO23] queries and overlays go on between the slices of a seal, and one that is abandoned leaves the table as it was', () => {
  const table = createTable(schema, undefined, 100);
  table.put(
    count(250).map((i) => row(i, i)),
    count(250),
  );
  const places = () => Array.from(table.select({}).window(0, 9).places);
  const abandoned = table.beginSeal();
  let steps = 1;
  while (abandoned.step()) steps++;
  expect(steps).toBeGreaterThan(20);
  expect(places()).toEqual([249, 248, 247, 246, 245, 244, 243, 242, 241]);
  for (const change of [() => table.put([row(1, 1)], [0]), () => table.remove(['key 1'])]) expect(change).toThrow(/begun/);
  abandoned.abandon();
  expect(() => abandoned.finish()).toThrow(/abandoned/);
  table.put([row(250, 250)], [250]);
  expect([table.deltaRows, table.size]).toEqual([251, 251]);
  const seal = table.beginSeal();
  const selection = table.select({});
  seal.step();
  table.setOverlay([row(250, 500)], [7], ['key 249']);
  expect(places()).toEqual([7, 248, 247, 246, 245, 244, 243, 242, 241]);
  expect(selection.window(0, 2).places).toEqual(Uint32Array.of(250, 249));
  expect(seal.finish().written.map((segment) => segment.rows)).toEqual([100, 100, 51]);
  expect(() => selection.window(0, 2)).toThrow(StaleSelectionError);
  expect(places()).toEqual([7, 248, 247, 246, 245, 244, 243, 242, 241]);
  expect(() => seal.step()).toThrow(/finished/);
  const [first, second] = [table.beginSeal(), table.beginSeal()];
  expect(() => first.finish()).toThrow(/replaced/);
  expect(second.finish()).toMatchObject({ written: [], dropped: [] });
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
  const [text, other] = [0, 1].map((partition) => structuredClone(Object.fromEntries(store.texts.get(partition) ?? [])['note']));
  if (!text || !other) throw new Error('No text was stored');
  expect(() => table.loadText(0, 'note', other)).toThrow(RangeError);
  expect(() => table.loadText(99, 'note', text)).toThrow(RangeError);
  expect(() => table.loadText(0, 'place', text)).toThrow(RangeError);
  text.bytes[3] = (text.bytes[3] ?? 0) ^ 1;
  expect(() => table.loadText(0, 'note', text)).toThrow(RangeError);
  expect(() => createTable({ ...schema, more: 'decimal' }, { segments: written, dictionaries })).toThrow(/"more"/);
  expect(() => createTable(schema, { segments: written, dictionaries: {} })).toThrow(/"place"/);
  for (const maxRows of [0, 1, 1.5, 65_537]) expect(() => createTable(schema, undefined, maxRows)).toThrow(RangeError);
});
