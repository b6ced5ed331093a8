import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowTexts } from '#workers/row-texts.ts';

test('[EX9] texts put in any order come back in theirs, whatever their length and letters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.nat(400_000).map((length) => 'é'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (texts) => {
      const kept = new RowTexts(texts.length);
      for (const [row, each] of [...texts.entries()].reverse()) kept.put(row, each);
      expect(texts.map((_, row) => Buffer.from(kept.at(row)).toString() === texts[row])).toEqual(texts.map(() => true));
    }),
    { numRuns: 40 },
  );
});
