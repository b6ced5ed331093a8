/** A stream of numbers that its label alone decides; two streams of one label are equal on every machine. */
export interface Random {
  /** A whole number of 32 bits. */
  bits(): number;
  /** From 0 up to, but never, 1. */
  unit(): number;
  /** A whole number from 0 up to, but never, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Roughly the normal distribution: mean 0, deviation 1, never beyond 3.5. */
  bell(): number;
}

/** Four words of 32 bits from a text, each dependent on every character. */
function wordsOf(label: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    words[0] = Math.imul(words[0] ^ code, 0x9e3779b1) ^ (words[1] >>> 7);
    words[1] = Math.imul(words[1] ^ code, 0x85ebca77) ^ (words[2] >>> 11);
    words[2] = Math.imul(words[2] ^ code, 0xc2b2ae3d) ^ (words[3] >>> 13);
    words[3] = Math.imul(words[3] ^ code, 0x27d4eb2f) ^ (words[0] >>> 15);
  }
  return words;
}

/**
 * Opens the stream of a label. Every part of the demo opens its own, so a change to one part leaves the others as they were.
 * @source sfc32, Chris Doty-Humphrey, PractRand
 */
export function openRandom(label: string): Random {
  let [a, b, c, counter] = wordsOf(label);

  function bits(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  // the first outputs still resemble the label
  for (let i = 0; i < 16; i++) bits();

  const unit = () => bits() / 4_294_967_296;
  const below = (limit: number) => Math.floor(unit() * limit);
  return {
    bits,
    unit,
    below,
    chance: (probability) => unit() < probability,
    pick: <T>(list: readonly T[]): T => {
      const item = list[below(list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    bell: () => (unit() + unit() + unit() + unit() - 2) * 1.732,
  };
}
