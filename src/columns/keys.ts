import { utf8Of } from './utf8.ts';

/** A row's key: its 16 bytes as four big-endian words, so that word order is byte order. */
export function keyOf(text: string): Uint32Array {
  const words = new Uint32Array(4);
  writeKey(text, words, 0);
  return words;
}

/** Writes the four words of a key: a lower-case UUID's own bytes, for any other text its 128-bit hash. */
export function writeKey(text: string, into: Uint32Array, at: number): void {
  if (!writeUuid(text, into, at)) into.set(murmur128(utf8Of(text)), at);
}

/** Compares two keys as unsigned bytes; `a` and `b` are word offsets: negative, zero or positive. */
export function compareKeys(as: Uint32Array, a: number, bs: Uint32Array, b: number): number {
  for (let i = 0; i < 4; i++) {
    const difference = (as[a + i] as number) - (bs[b + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What each ASCII character is as a lower-case hexadecimal digit, or -1. */
const hexDigits = Int8Array.from({ length: 128 }, (_, unit) => '0123456789abcdef'.indexOf(String.fromCharCode(unit)));

function writeUuid(text: string, into: Uint32Array, at: number): boolean {
  if (text.length !== 36) return false;
  let word = 0;
  let digits = 0;
  for (let i = 0; i < 36; i++) {
    const unit = text.charCodeAt(i);
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (unit !== 45) return false;
      continue;
    }
    const digit = unit < 128 ? (hexDigits[unit] as number) : -1;
    if (digit < 0) return false;
    word = (word << 4) | digit;
    if ((++digits & 7) === 0) into[at + (digits >>> 3) - 1] = word;
  }
  return true;
}

const multipliers = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const;
const keyTurns = [15, 16, 17, 18] as const;
const stateTurns = [19, 17, 15, 13] as const;
const additions = [0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17] as const;

/**
 * The 128-bit hash of some bytes, as four words.
 * @source MurmurHash3_x86_128 (Austin Appleby), seed 0.
 */
export function murmur128(bytes: Uint8Array): Uint32Array {
  const state = new Uint32Array(4);
  const blocks = bytes.length >>> 4;
  for (let block = 0; block < blocks; block++) {
    for (let lane = 0; lane < 4; lane++) {
      state[lane] = (state[lane] as number) ^ scramble(wordAt(bytes, block * 16 + lane * 4), lane);
      const turned = turn(state[lane] as number, stateTurns[lane] as number) + (state[(lane + 1) & 3] as number);
      state[lane] = Math.imul(turned, 5) + (additions[lane] as number);
    }
  }
  for (let lane = 0; lane < 4; lane++) {
    state[lane] = (state[lane] as number) ^ scramble(wordAt(bytes, blocks * 16 + lane * 4), lane) ^ bytes.length;
  }
  spread(state);
  for (let lane = 0; lane < 4; lane++) state[lane] = avalanche(state[lane] as number);
  spread(state);
  return state;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function turn(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function scramble(word: number, lane: number): number {
  const turned = turn(Math.imul(word, multipliers[lane] as number), keyTurns[lane] as number);
  return Math.imul(turned, multipliers[(lane + 1) & 3] as number);
}

function spread(state: Uint32Array): void {
  state[0] = (state[0] as number) + (state[1] as number) + (state[2] as number) + (state[3] as number);
  for (let lane = 1; lane < 4; lane++) state[lane] = (state[lane] as number) + (state[0] as number);
}

function avalanche(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
