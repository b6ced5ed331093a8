import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys, keyOf, murmur128 } from '#columns/keys.ts';
import { utf8Of } from '#columns/utf8.ts';
import { cases, patient } from './cases.ts';

const hex = (words: Uint32Array) => Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');

test('[CO10] a lower-case UUID is its own sixteen bytes, so keys sort as the UUIDs do', patient, () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (a, b) => {
      expect(hex(keyOf(a))).toBe(a.replaceAll('-', ''));
      expect(Math.sign(compareKeys(keyOf(a), 0, keyOf(b), 0))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
    { numRuns: cases },
  );
});

test('[CO10] any other key is hashed to 128 bits by MurmurHash3 x86_128', () => {
  expect(hex(murmur128(utf8Of('I will not buy this record, it is scratched.')))).toBe('a0a9683b25ac5e40d9af2895890dddf5');
  expect(hex(murmur128(utf8Of("I will not buy this tobacconist's, it is scratched.")))).toBe('9b5b7ba2ef3f7866889adeaf00f3f98e');
  expect(hex(murmur128(utf8Of('')))).toBe('0'.repeat(32));
  const uuid = '018a7f10-0000-7000-8000-0123456789ab';
  for (const other of [uuid.toUpperCase(), `${uuid} `, uuid.replace('-', '0'), uuid.replace('a', 'g')]) {
    expect(hex(keyOf(other))).toBe(hex(murmur128(utf8Of(other))));
  }
});

test('[CO10] text becomes the UTF-8 that the platform makes of it', patient, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(Buffer.compare(utf8Of(text), new TextEncoder().encode(text))).toBe(0);
    }),
    { numRuns: cases },
  );
  expect(Array.from(utf8Of('\ud800'))).not.toEqual(Array.from(utf8Of('\ud801')));
});
