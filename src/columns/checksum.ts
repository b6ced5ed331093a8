/**
 * Mixes the bytes of an array into a 32-bit checksum. Each step is a bijection of the running sum, so a change within one word never goes
 * unseen; other changes do with odds of about 2^-32.
 */
export function mixArray(seed: number, array: ArrayBufferView): number {
  const { buffer, byteOffset, byteLength } = array;
  const aligned = (byteOffset & 3) === 0;
  const words = aligned
    ? new Uint32Array(buffer, byteOffset, byteLength >>> 2)
    : new Uint32Array(buffer.slice(byteOffset, byteOffset + (byteLength & ~3)));
  const fours = words.length & ~3;
  let [a, b, c, d] = [seed ^ byteLength, 1, 2, 3];
  for (let i = 0; i < fours; i += 4) {
    a = step(a, words[i] as number);
    b = step(b, words[i + 1] as number);
    c = step(c, words[i + 2] as number);
    d = step(d, words[i + 3] as number);
  }
  let sum = step(step(step(a, b), c), d);
  for (let i = fours; i < words.length; i++) sum = step(sum, words[i] as number);
  const rest = new Uint8Array(buffer, byteOffset + (byteLength & ~3), byteLength & 3);
  for (const byte of rest) sum = step(sum, byte);
  return sum;
}

/** Mixes some numbers into a checksum. */
export function mixNumbers(seed: number, numbers: readonly number[]): number {
  return mixArray(seed, Float64Array.from(numbers));
}

/** Mixes a text into a checksum. */
export function mixText(seed: number, text: string): number {
  return mixArray(seed, Uint16Array.from(text, (_, i) => text.charCodeAt(i)).slice(0, text.length));
}

/** Mixes a list of texts into a checksum: where one ends counts, and null is no text. */
export function mixTexts(seed: number, texts: readonly (string | null)[]): number {
  const lengths = Float64Array.from(texts, (text) => text?.length ?? -1);
  return mixArray(mixArray(seed, lengths), unitsOf(texts));
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** The code units of some texts, one after another. What is all ASCII the platform encodes many times sooner than a loop that runs once. */
function unitsOf(texts: readonly (string | null)[]): Uint16Array {
  const joined = texts.join('');
  const bytes = new TextEncoder().encode(joined);
  if (bytes.length === joined.length) return new Uint16Array(bytes);
  const units = new Uint16Array(joined.length);
  for (let i = 0; i < joined.length; i++) units[i] = joined.charCodeAt(i);
  return units;
}

/** What an object has, by name, in whatever order it was put there. */
export function byName<T>(parts: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function step(sum: number, word: number): number {
  const h = Math.imul(sum ^ word, 0x85ebca6b);
  return h ^ (h >>> 15);
}
