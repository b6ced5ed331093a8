/** One sort key per row: unsigned 64-bit numbers as two planar words, `high` first. */
type SortKeys = { readonly high: Uint32Array; readonly low: Uint32Array };

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
 * Sorts references by their numbers, ascending, Infinity last. Stable: equal numbers keep their order. Digits that are the same in all
 * numbers cost one look.
 * @returns the sorted references, and whether each has the number of the one before it.
 */
export function sortByNumbers(refs: Uint32Array, numbers: Float64Array): { readonly refs: Uint32Array; isTie(at: number): boolean } {
  const keys = keysOf(numbers);
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
    // the caller's references stay as they are
    [from, to] = [to, from.refs === refs ? { ...from, refs: new Uint32Array(refs.length) } : from];
  }
  const { high, low } = from;
  return { refs: from.refs, isTie: (at) => high[at] === high[at - 1] && low[at] === low[at - 1] };
}

/** Unsigned numbers in the order of the floats: their distances from the least where those are exact, else their bits. */
function keysOf(numbers: Float64Array): SortKeys {
  const high = new Uint32Array(numbers.length);
  const low = new Uint32Array(numbers.length);
  const { least, isExact } = rangeOf(numbers);
  if (!isExact) return bitKeys(numbers, high, low);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    const distance = number - least;
    low[i] = number === Infinity ? 0xffffffff : distance;
    high[i] = number === Infinity ? 0xffffffff : distance / 2 ** 32;
  }
  return { high, low };
}

function rangeOf(numbers: Float64Array): { least: number; isExact: boolean } {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (number === Infinity) continue;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return { least, isExact: least > -(2 ** 52) && most < 2 ** 52 };
}

function bitKeys(numbers: Float64Array, high: Uint32Array, low: Uint32Array): SortKeys {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  for (let i = 0; i < numbers.length; i++) {
    const head = words[2 * i + 1] as number;
    const flip = head >>> 31 === 1 ? 0xffffffff : 0;
    high[i] = flip === 0 ? head ^ 0x80000000 : head ^ flip;
    low[i] = (words[2 * i] as number) ^ flip;
  }
  return { high, low };
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
