/** A text as columns have it: in lower case, its letters composed. */
export function folded(text: string): string {
  return text.toLowerCase().normalize('NFC');
}

/** The most bytes that `writeLowerUtf8` can need for a text: a letter becomes at most three. */
export function utf8Room(text: string): number {
  return text.length * 9;
}

/** Writes a text as columns have it (see `folded`), as UTF-8 at `at`. @returns the place after the last byte. */
export function writeLowerUtf8(text: string, into: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // beyond ASCII what a letter becomes may depend on its neighbours
    if (unit >= 0x80) return writeUtf8(folded(text), into, at);
    into[at + i] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
  }
  return at + text.length;
}

/**
 * Writes a text as UTF-8 at `at`. A lone surrogate is written as its own three bytes, so different texts always differ in bytes
 * and byte order is code point order.
 * @returns the place after the last byte.
 */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  let end = at;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      into[end++] = unit;
      continue;
    }
    const point = unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(i) ?? unit) : unit;
    if (point < 0x800) {
      into[end++] = 0xc0 | (point >>> 6);
    } else if (point < 0x10000) {
      into[end++] = 0xe0 | (point >>> 12);
      into[end++] = 0x80 | ((point >>> 6) & 63);
    } else {
      into[end++] = 0xf0 | (point >>> 18);
      into[end++] = 0x80 | ((point >>> 12) & 63);
      into[end++] = 0x80 | ((point >>> 6) & 63);
      i++;
    }
    into[end++] = 0x80 | (point & 63);
  }
  return end;
}

/** The UTF-8 bytes of a text (see `writeUtf8`). */
export function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  return bytes.slice(0, writeUtf8(text, bytes, 0));
}

/** Compares two byte ranges of two buffers: negative, zero or positive. */
export function compareBytes(a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bFrom: number, bTo: number): number {
  const length = Math.min(aTo - aFrom, bTo - bFrom);
  for (let i = 0; i < length; i++) {
    const difference = (a[aFrom + i] as number) - (b[bFrom + i] as number);
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}
