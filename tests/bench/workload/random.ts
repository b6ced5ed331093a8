/** A seeded source of random numbers (sfc32): the same seed and stream give the same numbers in every engine and on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c = 0x9e3779b9;
  private count = 1;

  constructor(seed: number, stream = 0) {
    this.a = seed | 0;
    this.b = Math.imul(stream + 1, 0x85ebca6b);
    for (let i = 0; i < 12; i++) this.word();
  }

  /** 32 random bits, unsigned. */
  word(): number {
    const sum = (((this.a + this.b) | 0) + this.count) | 0;
    this.count = (this.count + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to 1, 1 excluded. */
  unit(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from 0 to `limit`, excluded. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** `count` different members of a list, in the list's order. */
  sample<T>(list: readonly T[], count: number): T[] {
    let left = count;
    return list.filter((_, index) => {
      const taken = this.unit() * (list.length - index) < left;
      if (taken) left--;
      return taken;
    });
  }
}

/** Picks indexes by weight. */
export class Wheel {
  private readonly ends: readonly number[];

  constructor(weights: readonly number[]) {
    let sum = 0;
    this.ends = weights.map((weight) => (sum += weight));
  }

  spin(random: Random): number {
    const at = random.unit() * (this.ends.at(-1) as number);
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ends[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const fourDigits = Array.from({ length: 65_536 }, (_, word) => word.toString(16).padStart(4, '0'));

/** Lower-case hexadecimal digits; `length` is a multiple of 4. */
export function hexOf(random: Random, length: number): string {
  let text = '';
  for (let at = 0; at < length; at += 8) {
    const word = random.word();
    text += fourDigits[word >>> 16] as string;
    if (at + 4 < length) text += fourDigits[word & 0xffff] as string;
  }
  return text;
}

/** A UUIDv7 of a moment, in milliseconds. */
export function uuidOf(random: Random, time: number): string {
  const high = Math.floor(time / 2 ** 16);
  const low = fourDigits[time % 2 ** 16] as string;
  const tail = hexOf(random, 16);
  const stamp = (fourDigits[high >>> 16] as string) + (fourDigits[high & 0xffff] as string);
  return `${stamp}-${low}-7${tail.slice(0, 3)}-${'89ab'[random.below(4)]}${tail.slice(4, 7)}-${tail.slice(7)}${hexOf(random, 4).slice(1)}`;
}
