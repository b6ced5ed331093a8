import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSet, hasBit } from '#columns/bits.ts';
import { TextNotLoadedError } from '#columns/errors.ts';
import type { Schema } from '#columns/schema.ts';
import { longestByWords, searchByWords } from '#columns/search-words.ts';
import { createTable } from '#columns/table.ts';
import { utf8Of } from '#columns/utf8.ts';
import { keyLists, textLists } from './arbitraries.ts';
import { cases, patient } from './cases.ts';
import { hasText } from './oracle.ts';
import { play, storiesOf } from './stories.ts';
import { Store } from './stored.ts';

const schema = { hash: 'text', note: 'text' } as const satisfies Schema;

test('[CO24] a text is found among ten thousand, whatever the case of either; a null is none of them', () => {
  const hashOf = (i: number) => `0x${((i * 2_654_435_761) >>> 0).toString(16).padStart(12, 'Ab')}`;
  const table = createTable(schema, undefined, 5000);
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    key: `key ${i}`,
    time: -i,
    values: { hash: i % 7 === 0 ? null : hashOf(i), note: '' },
  }));
  table.put(rows, Array.from(rows.keys()));
  table.seal();
  const wanted = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? hashOf(i * 3).toUpperCase() : `nobody has ${i}`));
  const expected = rows.flatMap(({ values }, i) => (values.hash !== null && i % 6 === 0 ? [i] : []));
  const isWanted = { column: 'hash', oneOf: wanted } as const;
  expect(Array.from(table.select({ where: [isWanted] }).window(0, Infinity).places)).toEqual(expected.filter((i) => i < 30_000));
  expect(table.select({ where: [{ ...isWanted, not: true }] }).count).toBe(rows.length - expected.length);
  expect(table.select({ where: [{ column: 'note', oneOf: [''] }] }).count).toBe(rows.length);
  expect(table.select({ where: [{ column: 'note', oneOf: [] }] }).count).toBe(0);
  const among = table.select({ where: [{ column: 'time', to: -3000 }] }).among('hash', wanted);
  expect(among).toEqual(wanted.map((_, i) => i % 2 === 0 && i * 3 >= 3000 && i * 3 < rows.length && (i * 3) % 7 !== 0));
});

test('[CO25] a selection tells of some texts, or keys, which of them a matched row has', patient, () => {
  fc.assert(
    fc.property(
      storiesOf((query) => ({ ...query, sort: [] }), 30),
      textLists,
      keyLists,
      (story, texts, asked) =>
        play(story, (table, oracle, { query }) => {
          const rows = oracle.select(query, (column) => table.codes(column));
          const selection = table.select(query);
          expect(selection.among('key', asked)).toEqual(asked.map((key) => rows.some((row) => row.key === key)));
          for (const column of Object.keys(story.schema).filter((name) => story.schema[name] === 'text')) {
            if (table.needsText({ where: [{ column, contains: '' }] }).length > 0) continue;
            expect(selection.among(column, texts)).toEqual(texts.map((text) => rows.some((row) => hasText(row, column, [text]))));
          }
        }),
    ),
    { numRuns: cases },
  );
});

test('[CO25] it names the partitions of matched rows whose text is not loaded, and answers as soon as it is', () => {
  const store = new Store();
  const first = createTable(schema, undefined, 10);
  const rows = Array.from({ length: 30 }, (_, i) => ({ key: `key ${i}`, time: i, values: { hash: `Hash ${i}` } }));
  first.put(rows, Array.from(rows.keys()));
  store.seal(first);
  const table = store.open(schema, 10);
  const selection = table.select({ where: [{ column: 'time', from: 8, to: 12 }] });
  const ask = () => selection.among('hash', ['hash 9', 'hash 7']);
  expect(ask).toThrow(TextNotLoadedError);
  expect(ask).toThrow('The text of partition 1, 2 is not loaded');
  for (const partition of [1, 2]) store.load(table, partition);
  expect(ask()).toEqual([true, false]);
  expect(() => selection.among('time', ['1'])).toThrow(RangeError);
});

test('[CO42] a text that is searched again finds the same rows, however long it is and whatever stands beside it', () => {
  const words = ['Payout to Kraken', 'Überweisung 会計', 'a7f3', '', null];
  const rows = Array.from({ length: 600 }, (_, i) => {
    const word = words[i % words.length];
    return {
      key: `key ${i}`,
      time: -i,
      values: { hash: `0x${((i * 2_654_435_761) >>> 0).toString(16)}`, note: word == null ? null : `${word} ${i}` },
    };
  });
  const table = createTable(schema, undefined, 100);
  table.put(rows, Array.from(rows.keys()));
  table.seal();
  const [hash = ''] = rows.slice(77, 78).map(({ values }) => values.hash);
  for (const text of ['payout to kraken 12', 'ÜBERWEISUNG 会計 1', 'kraken a7f3', hash.slice(2, 9), 'to0x', 'ü', 'a7', '1', 'q', 'zz']) {
    const holds = (value: string | null) => value?.toLowerCase().includes(text.toLowerCase()) === true;
    const expected = rows.flatMap(({ values }, i) => (holds(values.hash) || holds(values.note) ? [i] : []));
    const where = [
      {
        any: [
          { column: 'hash', contains: text },
          { column: 'note', contains: text },
        ],
      },
    ];
    for (let asked = 0; asked < 3; asked++) expect(Array.from(table.select({ where }).window(0, Infinity).places)).toEqual(expected);
  }
});

test('[CO46] a short text is found in every row that has it and in no other, wherever in memory they lie', patient, () => {
  const letters = fc.constantFrom('a', '7', 'f', 'é', '0', '\u0000', '\u0001');
  const texts = fc.array(fc.string({ unit: letters, maxLength: 40 }), { maxLength: 60 });
  const wanted = fc.string({ unit: letters, minLength: 2, maxLength: 3 }).filter((text) => utf8Of(text).length <= longestByWords);
  fc.assert(
    fc.property(texts, wanted, fc.nat(3), (rows, text, shift) => {
      const parts = rows.map(utf8Of);
      const offsets = new Uint32Array(rows.length + 1);
      for (const [i, part] of parts.entries()) offsets[i + 1] = (offsets[i] as number) + part.length;
      const bytes = new Uint8Array(new ArrayBuffer((offsets.at(-1) as number) + shift), shift);
      for (const [i, part] of parts.entries()) bytes.set(part, offsets[i]);
      const bits = allSet(rows.length);
      searchByWords(bits, { offsets, bytes }, rows.length, utf8Of(text));
      expect(rows.map((_, row) => hasBit(bits, row))).toEqual(rows.map((row) => row.includes(text)));
    }),
    { numRuns: cases },
  );
});

test(
  '[CO47] who types on finds what they would have found at once, whatever else was looked for before, and in which rows',
  patient,
  () => {
    const letters = fc.constantFrom('a', '7', 'F', 'é', '😀', '\ud83d');
    const value = fc.option(fc.string({ unit: letters, maxLength: 12 }), { nil: null });
    const rows = fc.array(fc.record({ hash: value, note: value }), { minLength: 1, maxLength: 80 });
    const typed = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, typed, fc.integer({ min: 1, max: 40 }), (values, texts, within) => {
        const table = createTable(schema, undefined, 30);
        table.put(
          values.map((each, i) => ({ key: `key ${i}`, time: -i, values: each })),
          Array.from(values.keys()),
        );
        table.seal();
        for (const text of texts) {
          for (let letter = 1; letter <= text.length; letter++) {
            const contains = text.slice(0, letter);
            const any = (['hash', 'note'] as const).map((column) => ({ column, contains }));
            const from = letter % 2 === 0 ? -within : -Infinity;
            const holds = (of: string | null) => of !== null && hasBytes(utf8Of(of.toLowerCase()), utf8Of(contains.toLowerCase()));
            const expected = values.flatMap(({ hash, note }, i) => (-i >= from && (holds(hash) || holds(note)) ? [i] : []));
            const found = table.select({ where: [{ any }, { column: 'time', from }] }).window(0, Infinity).places;
            expect([...found]).toEqual(expected);
          }
        }
      }),
      { numRuns: cases },
    );
  },
);

function hasBytes(hay: Uint8Array, wanted: Uint8Array): boolean {
  return Array.from({ length: Math.max(0, hay.length - wanted.length + 1) }).some((_, at) =>
    wanted.every((byte, i) => hay[at + i] === byte),
  );
}
