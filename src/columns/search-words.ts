import { type Bits, intersect, setBit, wordsFor } from './bits.ts';
import type { TextColumn } from './segments.ts';

/** Up to so many bytes a text is found sooner by looking at every byte, sixteen in one step, than by jumping its length. */
export const longestByWords = 3;

const ones = 0x01010101;
const highs = 0x80808080 | 0;

/** Clears the bits of the rows whose text does not contain a short one, of two bytes or more. */
export function searchByWords(bits: Bits, texts: TextColumn, rows: number, wanted: Uint8Array): void {
  const finds = new Finds(texts, rows, wanted);
  const { pair } = finds;
  const { words, at } = wordsOf(texts.bytes);
  const firsts = Math.imul(wanted[pair] as number, ones);
  const seconds = Math.imul(wanted[pair + 1] as number, ones);
  const end = Math.min(words.length, ((texts.offsets[rows] as number) - at) >> 2) - 4;
  finds.lookUpTo(at - pair);
  let word = Math.max(0, (finds.next + pair - at) >> 2);
  let a = words[word] as number;
  while (word < end) {
    const b = words[word + 1] as number;
    const c = words[word + 2] as number;
    const d = words[word + 3] as number;
    const e = words[word + 4] as number;
    // a byte of these is zero where the pair is
    const inA = (a ^ firsts) | (((a >>> 8) | (b << 24)) ^ seconds);
    const inB = (b ^ firsts) | (((b >>> 8) | (c << 24)) ^ seconds);
    const inC = (c ^ firsts) | (((c >>> 8) | (d << 24)) ^ seconds);
    const inD = (d ^ firsts) | (((d >>> 8) | (e << 24)) ^ seconds);
    word += 4;
    a = e;
    if (((zerosOf(inA) | zerosOf(inB) | zerosOf(inC) | zerosOf(inD)) & highs) !== 0) {
      const place = at + word * 4 - 16 - pair;
      finds.lookAt(zerosOf(inA) & highs, place);
      finds.lookAt(zerosOf(inB) & highs, place + 4);
      finds.lookAt(zerosOf(inC) & highs, place + 8);
      finds.lookAt(zerosOf(inD) & highs, place + 12);
      word = Math.max(word, (finds.next + pair - at) >> 2);
      a = words[word] as number;
    }
  }
  finds.next = Math.max(finds.next, at + word * 4 - pair);
  finds.lookUpTo(Infinity);
  intersect(bits, finds.rows);
}

/** The rows in whose text a short one was found, looking at one place after another. */
class Finds {
  /** The next place where it may begin. */
  next: number;
  readonly rows: Bits;
  /** Where its last two bytes begin within it: how it begins (0x) many may have. */
  readonly pair: number;
  private readonly texts: TextColumn;
  private readonly end: number;
  private readonly wanted: Uint8Array;
  private row = 0;

  constructor(texts: TextColumn, rows: number, wanted: Uint8Array) {
    this.texts = texts;
    this.wanted = wanted;
    this.rows = new Uint32Array(wordsFor(rows));
    this.next = texts.offsets[0] as number;
    this.end = texts.offsets[rows] as number;
    this.pair = wanted.length - 2;
  }

  /** Looks at up to four places from `at` on: those whose high bit is set. */
  lookAt(marked: number, at: number): void {
    for (let left = marked; left !== 0; left &= left - 1) {
      const place = at + ((31 - Math.clz32(left & -left)) >>> 3);
      if (place >= this.next && beginsAt(this.texts.bytes, place, this.wanted)) this.found(place);
    }
  }

  /** Looks at the places before `to`, or what of them is left once it is found in a row: the row after that comes next. */
  lookUpTo(to: number): void {
    const { texts, wanted, end } = this;
    const until = Math.min(to, end - wanted.length + 1);
    while (this.next < until) {
      if (beginsAt(texts.bytes, this.next, wanted)) this.found(this.next);
      else this.next++;
    }
  }

  /** Notes its row, unless it lies across two. */
  private found(at: number): void {
    const { offsets } = this.texts;
    while ((offsets[this.row + 1] as number) <= at) this.row++;
    const next = offsets[this.row + 1] as number;
    const isInside = at + this.wanted.length <= next;
    if (isInside) setBit(this.rows, this.row);
    this.next = isInside ? next : at + 1;
  }
}

/** Marks with its high bit each byte that is zero, and some above one that is. */
function zerosOf(word: number): number {
  return (word - ones) & ~word;
}

function beginsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** The whole words of some bytes, as this processor reads them (the lowest byte first, as all that browsers run on), and where they begin. */
function wordsOf(bytes: Uint8Array): { readonly words: Int32Array; readonly at: number } {
  const at = -bytes.byteOffset & 3;
  const count = (bytes.length - at) >> 2;
  return { words: count > 0 ? new Int32Array(bytes.buffer, bytes.byteOffset + at, count) : new Int32Array(), at };
}
