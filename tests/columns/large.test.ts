import { expect, test } from 'vitest';
import type { Row, Schema } from '#columns/schema.ts';
import { createTable } from '#columns/table.ts';

const schema = { kind: 'small', usd: 'decimal', note: 'text' } as const satisfies Schema;

test('[CO21] more rows than one segment holds give the same answers before a seal and after', () => {
  const rows = Array.from({ length: 70_000 }, (_, i): Row => {
    const mixed = (i * 7919) % 70_000;
    const usd = mixed % 3 === 0 ? null : `${(mixed % 500) - 250}.${mixed}`;
    return { key: `key ${i}`, time: mixed % 1000, values: { kind: mixed % 7, usd, note: `A rather long beginning, ${mixed % 600}` } };
  });
  const table = createTable(schema);
  table.put(rows, Array.from(rows.keys()));
  const sorts = [
    [],
    [{ column: 'usd', descending: true }],
    [
      { column: 'kind', descending: false },
      { column: 'note', descending: true },
    ],
  ];
  const where = [
    { column: 'note', contains: 'BEGINNING, 5' },
    { column: 'kind', in: [1, 2, 3], not: true },
  ];
  const answers = () =>
    sorts.map((sort) => {
      const selection = table.select({ where, sort });
      return [Array.from(selection.window(0, Infinity).places), selection.totals({ groupBy: ['kind'], sums: ['usd'] }).length];
    });
  const before = answers();
  const expected = rows
    .filter(({ values }) => Number(values['kind']) % 7 === 0 || Number(values['kind']) > 3)
    .filter(({ values }) => /, 5/.test(String(values['note'])));
  expect(before[0]?.[0]).toHaveLength(expected.length);
  const places = (before[2]?.[0] ?? []) as number[];
  const notes = places.map((place) => `${rows[place]?.values['kind']} ${rows[place]?.values['note']}`);
  const [kinds, texts] = [notes.map((each) => Number(each[0])), notes.map((each) => each.slice(2))];
  for (let i = 1; i < notes.length; i++) {
    const [a, b] = [kinds[i - 1] ?? 0, kinds[i] ?? 0];
    if (a > b || (a === b && (texts[i - 1] ?? '') < (texts[i] ?? ''))) expect.fail(`${notes[i - 1]} came before ${notes[i]}`);
  }
  expect(table.seal().written.map(({ rows: count }) => count)).toEqual([16_384, 16_384, 16_384, 16_384, 4464]);
  expect(answers()).toEqual(before);
});

test('[CO2] texts that begin alike sort by what follows, by code point, a shorter one first', () => {
  const ends = ['', '\u0000', '😀', '\uffff', ' and so on'];
  const notes = Array.from({ length: 3000 }, (_, i) => 'as long. '.repeat(i % 4) + String((i * 7919) % 500).padStart(4, '0') + ends[i % 5]);
  const table = createTable(schema);
  table.put(
    notes.map((note, i) => ({ key: `key ${i}`, time: -i, values: { note } })),
    Array.from(notes.keys()),
  );
  const bytes = (text: string) => Buffer.from(text);
  for (const descending of [false, true]) {
    const expected = Array.from(notes.keys()).sort(
      (a, b) => (descending ? -1 : 1) * Buffer.compare(bytes(notes[a] ?? ''), bytes(notes[b] ?? '')) || a - b,
    );
    expect(Array.from(table.select({ sort: [{ column: 'note', descending }] }).window(0, Infinity).places)).toEqual(expected);
  }
});
