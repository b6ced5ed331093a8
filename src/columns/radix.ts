/** One sort key per row: unsigned 64-bit numbers as two planar words, `high` first. */
export type SortKeys = { readonly high: Uint32Array; readonly low: Uint32Array };

const digitBits = 11;
const buckets = 1 << digitBits;
/** The digits of a 64-bit key from the lowest: which word, and how far it is shifted. */
const digits = [
  ['low', 0],
  ['low', 11],
  ['low', 22],
  ['high', 0],
  ['high', 11],
  ['high', 22],
] as const;

type Arrays = SortKeys & { readonly refs: Uint32Array };

/**
 * Sorts references by their keys, ascending, and the keys along with them. Stable: equal keys keep their order. Digits that are the same
 * in all keys cost one look.
 * @returns the sorted arrays; the given ones are used as scratch.
 */
export function sortByKeys(refs: Uint32Array, keys: SortKeys): Arrays {
  let from: Arrays = { refs, ...keys };
  let to: Arrays | null = null;
  const counts = countDigits(keys);
  for (const [d, [word, shift]] of digits.entries()) {
    const ends = counts.subarray(d * buckets, (d + 1) * buckets);
    if (ends.includes(refs.length)) continue;
    let start = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = ends[bucket] as number;
      ends[bucket] = start;
      start += count;
    }
    to ??= { refs: new Uint32Array(refs.length), high: new Uint32Array(refs.length), low: new Uint32Array(refs.length) };
    scatter(from, to, from[word], shift, ends);
    [from, to] = [to, from];
  }
  return from;
}

function scatter(from: Arrays, to: Arrays, digit: Uint32Array, shift: number, starts: Uint32Array): void {
  const { refs, high, low } = from;
  for (let i = 0; i < refs.length; i++) {
    const bucket = ((digit[i] as number) >>> shift) & (buckets - 1);
    const at = starts[bucket] as number;
    starts[bucket] = at + 1;
    to.refs[at] = refs[i] as number;
    to.high[at] = high[i] as number;
    to.low[at] = low[i] as number;
  }
}

function countDigits({ high, low }: SortKeys): Uint32Array {
  const counts = new Uint32Array(digits.length * buckets);
  const mask = buckets - 1;
  const count = (at: number) => {
    counts[at] = (counts[at] as number) + 1;
  };
  for (let i = 0; i < low.length; i++) {
    const l = low[i] as number;
    const h = high[i] as number;
    count(l & mask);
    count(buckets + ((l >>> 11) & mask));
    count(2 * buckets + (l >>> 22));
    count(3 * buckets + (h & mask));
    count(4 * buckets + ((h >>> 11) & mask));
    count(5 * buckets + (h >>> 22));
  }
  return counts;
}
