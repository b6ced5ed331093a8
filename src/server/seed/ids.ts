import { openRandom, type Random } from './random.ts';

/** Four hex digits of every 16-bit number: half the cost of a million ids is writing hex. */
const hexOf16 = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0'));

/** `words` times eight random hex digits. */
export function randomHex(random: Random, words: number): string {
  let text = '';
  for (let i = 0; i < words; i++) {
    const bits = random.bits();
    text += `${hexOf16[bits >>> 16]}${hexOf16[bits & 0xffff]}`;
  }
  return text;
}

/** An id shaped as UUIDv7: the moment in milliseconds, then 74 bits of the stream. */
export function idAt(ms: number, random: Random): string {
  const time = ms.toString(16).padStart(12, '0');
  const a = random.bits();
  const b = random.bits();
  const c = random.bits();
  const versioned = hexOf16[0x7000 | (a & 0x0fff)];
  const variant = hexOf16[0x8000 | ((a >>> 16) & 0x3fff)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${versioned}-${variant}-${hexOf16[b >>> 16]}${hexOf16[b & 0xffff]}${hexOf16[c & 0xffff]}`;
}

const stableMoment = Date.UTC(2020, 0, 1);

/** The id a row of this name has in every database, whatever the day and the seed. */
export function stableId(noun: string, name: string): string {
  return idAt(stableMoment, openRandom(`${noun}/${name}`));
}
