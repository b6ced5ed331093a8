import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashForms, isHashColumn, mostHashes, notFound, readHashes } from '#domain/hash-list.ts';

const hex = 'ab12'.repeat(16);

function read(text: string): string[] | string {
  const reading = readHashes(text);
  return reading.ok ? reading.hashes : reading.message;
}

test('[TF9] a pasted column is cut at lines, tabs, commas and blanks, and loses quotes and brackets', () => {
  expect(read('a1\r\nb2\tc3, d4;e5  f6')).toEqual(['a1', 'b2', 'c3', 'd4', 'e5', 'f6']);
  expect(read('"0xabc"\n\'tx-1\'\n“tx-2”\n["tx-3","tx-4"]')).toEqual(['0xabc', 'tx-1', 'tx-2', 'tx-3', 'tx-4']);
  expect(read(' \n\t,, ""')).toEqual([]);
});

test('[TF9] one hash written in several ways is one hash, as it was written first', () => {
  expect(read(`${hex}\n0x${hex}\n${hex.toUpperCase()}\nTX-1\ntx-1`)).toEqual([hex, 'TX-1']);
  expect(read('0xab\nab')).toEqual(['0xab', 'ab']);
});

test('[TF9] too many, or one longer than any hash, is said and nothing is cut off', () => {
  const many = Array.from({ length: mostHashes + 1 }, (_, index) => `tx${index}`);
  expect(read(many.slice(1).join('\n'))).toHaveLength(mostHashes);
  expect(read(many.join('\n'))).toBe('These are 10,001; up to 10,000 can be looked for at once. Nothing was changed: take some out here.');
  expect(read('x'.repeat(201))).toContain('longer than any hash');
});

test('[TF9] 64 hex digits are looked for with and without 0x, anything else as it is', () => {
  const id = '018bf453-9400-7000-8426-6694bdb50000';
  expect(hashForms(id.toUpperCase())).toEqual([id]);
  expect(notFound([id.toUpperCase()], [])).toEqual([]);
  expect(notFound([id.toUpperCase()], [id])).toEqual([id.toUpperCase()]);
  expect(hashForms(hex)).toEqual([hex, `0x${hex}`]);
  expect(hashForms(`0x${hex}`)).toEqual([`0x${hex}`, hex]);
  expect(hashForms('0xabc')).toEqual(['0xabc']);
});

test('[TF10] a hash is not found when none of its forms is', () => {
  expect(notFound([hex, 'tx-1', 'TX-2'], [hex, `0x${hex}`, 'tx-2'])).toEqual([hex, 'TX-2']);
  expect(notFound([hex, 'tx-1'], [hex])).toEqual([]);
  expect(notFound(['a', 'b'], [])).toEqual([]);
});

test('[TF11] a column of ids is told from words', () => {
  expect(isHashColumn(`${hex}\n0x${hex}`)).toBe(true);
  expect(isHashColumn('tx-0001-aa\ttx-0002-bb')).toBe(true);
  expect(isHashColumn(hex)).toBe(false);
  expect(isHashColumn(`${hex} ${hex.replace('a', 'c')}`)).toBe(false);
  expect(isHashColumn('Payment to Acme\nfor the third quarter')).toBe(false);
});

test('[TF9] whatever is pasted is read without blanks and without doubles, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const hashes = read(text);
      if (typeof hashes === 'string') return;
      expect(hashes.filter((hash) => hash === '' || /[\s,;|]/.test(hash))).toEqual([]);
      expect(new Set(hashes.map((hash) => hash.toLowerCase())).size).toBe(hashes.length);
      expect(read(hashes.join('\n'))).toEqual(hashes);
    }),
  );
});
