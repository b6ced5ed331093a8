import { folded, utf8Of } from './utf8.ts';

/** Some texts by their bytes as columns have them, to find which of them a range of bytes is. */
export class TextSet {
  /** How many different texts there are; each has a number below. */
  readonly size: number;
  private readonly offsets: Uint32Array;
  private readonly bytes: Uint8Array;
  private readonly slots: Uint32Array;
  /** One of 65,536 bits for a few bytes of each text, so that most others cost a look. */
  private readonly glances = new Uint32Array(2048);

  /** @returns the set, and the number of each given text in it. */
  static of(texts: readonly string[]): { set: TextSet; numbers: number[] } {
    const different = new Map<string, number>();
    const numbers = texts.map((text) => {
      const each = folded(text);
      const number = different.get(each) ?? different.size;
      different.set(each, number);
      return number;
    });
    return { set: new TextSet([...different.keys()]), numbers };
  }

  private constructor(texts: readonly string[]) {
    this.size = texts.length;
    const encoded = texts.map(utf8Of);
    this.offsets = new Uint32Array(texts.length + 1);
    for (const [i, each] of encoded.entries()) this.offsets[i + 1] = (this.offsets[i] as number) + each.length;
    this.bytes = new Uint8Array(this.offsets.at(-1) as number);
    this.slots = new Uint32Array(1 << (33 - Math.clz32(texts.length * 2)));
    for (const [i, each] of encoded.entries()) {
      this.bytes.set(each, this.offsets[i]);
      const glance = glanceAt(each, 0, each.length);
      this.glances[glance >>> 5] = (this.glances[glance >>> 5] as number) | (1 << (glance & 31));
      let slot = hashOf(each, 0, each.length) & (this.slots.length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = i + 1;
    }
  }

  /** The number of the text that the bytes from `from` to `to` (excluded) are, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const glance = glanceAt(bytes, from, to);
    if ((((this.glances[glance >>> 5] as number) >>> (glance & 31)) & 1) === 0) return -1;
    const mask = this.slots.length - 1;
    for (let slot = hashOf(bytes, from, to) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.slots[slot] as number) - 1;
      if (number < 0 || this.isText(number, bytes, from, to)) return number;
    }
  }

  private isText(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.offsets[number] as number;
    if ((this.offsets[number + 1] as number) - start !== to - from) return false;
    let at = from;
    while (at < to && bytes[at] === this.bytes[start + at - from]) at++;
    return at === to;
  }
}

/** 16 bits of the length, the last three bytes and one in the middle. */
function glanceAt(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  const last = to - 1;
  let h = Math.imul(length, 0x9e3779b1);
  if (length >= 4) {
    h ^= (bytes[last] as number) | ((bytes[last - 1] as number) << 8) | ((bytes[last - 2] as number) << 16);
    h ^= (bytes[from + (length >>> 1)] as number) << 24;
  }
  return Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> 16;
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let h = 0x811c9dc5;
  for (let at = from; at < to; at++) h = Math.imul(h ^ (bytes[at] as number), 0x01000193);
  return h ^ (h >>> 15);
}
