// Values of rows as bytes: a byte that says of which kind, and as few as that kind needs. What a text is taken for is decided by its
// characters alone, so it comes back as it was; what fits no kind is kept as it is.

const kind = {
  null: 0,
  false: 1,
  true: 2,
  float: 3,
  whole: 4,
  /** Texts of the characters of numbers and moments, two in a byte. */
  digits: 5,
  uuid: 6,
  hex: 7,
  prefixedHex: 8,
  latin: 9,
  /** The same of more than 255 characters. */
  longLatin: 10,
  wide: 11,
  json: 12,
  /** Whole numbers below 64, in this byte. */
  small: 64,
  /** The value that lies so many bytes from the beginning; the other seven bits of the place are in this byte. */
  again: 128,
} as const;

const digits = '0123456789.-:TZ+';
const digitCodes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
const hexCodes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** What stands for a character in a text of digits, or of hexadecimal ones; 255 for others. */
const nibbleOfDigit = nibbles(digitCodes);
const nibbleOfHex = nibbles(hexCodes);

function nibbles(codes: Uint8Array): Uint8Array {
  const of = new Uint8Array(65_536).fill(255);
  for (const [nibble, code] of codes.entries()) of[code] = nibble;
  return of;
}

/** The byte that two hexadecimal characters of a text are; above 255 where they are none. */
function hexByte(text: string, at: number): number {
  const high = nibbleOfHex[text.charCodeAt(at)] as number;
  const low = nibbleOfHex[text.charCodeAt(at + 1)] as number;
  return (high | low) > 15 ? 256 : (high << 4) | low;
}

const uuidLength = 36;
/** The places in a UUID before which a hyphen stands. */
const hyphens: readonly number[] = [8, 13, 18, 23];
const shortestHex = 8;
/** Nothing farther from the beginning can be pointed to. */
const farthest = 0x7fff;
/** Shorter texts take no more bytes than to point to them. */
const shortestAgain = 4;
/** A field of which so many texts were looked for in vain is one whose texts are each its own. */
const mostMisses = 128;
/** The most bytes a value takes beside two for each of its characters. */
const most = 16;

/** Writes values one after another, into the same memory however often it begins anew. */
export class ValueWriter {
  #bytes = new Uint8Array(32_768);
  #view = new DataView(this.#bytes.buffer);
  readonly #seen = new Map<string, number>();
  /** How often the texts of a field were looked for among those before and not found; each that was found makes up for some. */
  readonly #misses: number[] = [];
  at = 0;

  /** Begins anew. */
  clear(at: number): void {
    this.at = at;
    this.#seen.clear();
  }

  /** A copy of what was written. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.at);
  }

  word(word: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.at, word, true);
    this.at += 4;
  }

  /** Writes a value of JSON. @param field the number of the field: of some the values are often those of rows before. */
  value(value: unknown, field: number): void {
    if (typeof value === 'string') return this.#text(value, field);
    this.#reserve(most);
    if (value === null) this.#byte(kind.null);
    else if (typeof value === 'boolean') this.#byte(value ? kind.true : kind.false);
    else if (typeof value === 'number') this.#number(value);
    else {
      this.#byte(kind.json);
      this.#plain(JSON.stringify(value));
    }
  }

  #number(value: number): void {
    if (value === (value | 0) && !Object.is(value, -0)) {
      if (value >= 0 && value < kind.small) return this.#byte(kind.small + value);
      this.#byte(kind.whole);
      this.#view.setInt32(this.at, value, true);
      this.at += 4;
      return;
    }
    this.#byte(kind.float);
    this.#view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  #text(text: string, field: number): void {
    this.#reserve(most + text.length * 2);
    const misses = this.#misses[field] ?? 0;
    if (text.length < shortestAgain || misses > mostMisses) return this.#fresh(text);
    const known = this.#seen.get(text);
    if (known !== undefined) {
      this.#misses[field] = Math.max(0, misses - 8);
      this.#byte(kind.again | (known >> 8));
      this.#byte(known & 255);
      return;
    }
    this.#misses[field] = misses + 1;
    if (this.at <= farthest) this.#seen.set(text, this.at);
    this.#fresh(text);
  }

  #fresh(text: string): void {
    const { length } = text;
    const first = text.charCodeAt(0);
    if (length === uuidLength && text.charCodeAt(8) === 45 && this.#uuid(text)) return;
    if (length < 256 && nibbleOfDigit[first] !== 255 && this.#digits(text)) return;
    if (length >= shortestHex && length < 256 && length % 2 === 0) {
      if (first === 48 && text.charCodeAt(1) === 120 ? this.#hex(text, kind.prefixedHex, 2) : this.#hex(text, kind.hex, 0)) return;
    }
    this.#plain(text);
  }

  #uuid(text: string): boolean {
    const bytes = this.#bytes;
    let to = this.at;
    bytes[to++] = kind.uuid;
    for (let from = 0; from < uuidLength; from += 2) {
      if (from === 8 || from === 13 || from === 18 || from === 23) if (text.charCodeAt(from++) !== 45) return false;
      const byte = hexByte(text, from);
      if (byte > 255) return false;
      bytes[to++] = byte;
    }
    this.at = to;
    return true;
  }

  #hex(text: string, of: number, begin: number): boolean {
    const bytes = this.#bytes;
    let to = this.at;
    bytes[to++] = of;
    bytes[to++] = (text.length - begin) >> 1;
    for (let from = begin; from < text.length; from += 2) {
      const byte = hexByte(text, from);
      if (byte > 255) return false;
      bytes[to++] = byte;
    }
    this.at = to;
    return true;
  }

  #digits(text: string): boolean {
    const bytes = this.#bytes;
    const { length } = text;
    let to = this.at;
    bytes[to++] = kind.digits;
    bytes[to++] = length;
    for (let from = 0; from < length; from += 2) {
      const high = nibbleOfDigit[text.charCodeAt(from)] as number;
      const low = from + 1 < length ? (nibbleOfDigit[text.charCodeAt(from + 1)] as number) : 0;
      if ((high | low) > 15) return false;
      bytes[to++] = (high << 4) | low;
    }
    this.at = to;
    return true;
  }

  #plain(text: string): void {
    this.#reserve(most + text.length * 2);
    const bytes = this.#bytes;
    const { length } = text;
    const begin = this.at;
    if (length < 256) {
      bytes[this.at++] = kind.latin;
      bytes[this.at++] = length;
    } else {
      bytes[this.at++] = kind.longLatin;
      this.#view.setUint32(this.at, length, true);
      this.at += 4;
    }
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 255) return this.#wide(text, begin);
      bytes[this.at + i] = code;
    }
    this.at += length;
  }

  #wide(text: string, begin: number): void {
    this.#bytes[begin] = kind.wide;
    this.#view.setUint32(begin + 1, text.length, true);
    this.at = begin + 5;
    for (let i = 0; i < text.length; i++) this.#view.setUint16(this.at + i * 2, text.charCodeAt(i), true);
    this.at += text.length * 2;
  }

  #byte(byte: number): void {
    this.#bytes[this.at++] = byte;
  }

  #reserve(bytes: number): void {
    if (this.at + bytes <= this.#bytes.length) return;
    const longer = new Uint8Array((this.at + bytes) * 2);
    longer.set(this.#bytes);
    this.#bytes = longer;
    this.#view = new DataView(longer.buffer);
  }
}

/** Reads what a `ValueWriter` wrote; throws a RangeError where that ends too early, or is none of its kinds. */
export class ValueReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Texts that were pointed to, by their places. */
  readonly #pointed = new Map<number, unknown>();
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  word(): number {
    this.at += 4;
    return this.#view.getUint32(this.at - 4, true);
  }

  value(): unknown {
    const tag = this.#byte();
    if (tag >= kind.again) return this.#again(((tag & 127) << 8) | this.#byte());
    if (tag >= kind.small) return tag - kind.small;
    switch (tag) {
      case kind.null:
        return null;
      case kind.false:
        return false;
      case kind.true:
        return true;
      case kind.float:
        this.at += 8;
        return this.#view.getFloat64(this.at - 8, true);
      case kind.whole:
        this.at += 4;
        return this.#view.getInt32(this.at - 4, true);
      case kind.json:
        return JSON.parse(this.value() as string);
      default:
        return this.#text(tag);
    }
  }

  #again(place: number): unknown {
    const known = this.#pointed.get(place);
    if (known !== undefined) return known;
    const { at } = this;
    // what is pointed to lies before: else there would be no end
    if (place >= at - 2) throw new RangeError('a value points ahead');
    this.at = place;
    const value = this.value();
    this.at = at;
    this.#pointed.set(place, value);
    return value;
  }

  #text(tag: number): string {
    switch (tag) {
      case kind.digits: {
        const length = this.#byte();
        const text = this.#nibbles((length + 1) >> 1, digitCodes, 0);
        return text.length === length ? text : text.slice(0, length);
      }
      case kind.uuid:
        return this.#uuid();
      case kind.hex:
        return this.#nibbles(this.#byte(), hexCodes, 0);
      case kind.prefixedHex:
        return this.#nibbles(this.#byte(), hexCodes, 2);
      case kind.latin:
        return this.#characters(this.#byte(), 1);
      case kind.longLatin:
        return this.#characters(this.word(), 1);
      case kind.wide:
        return this.#characters(this.word(), 2);
      default:
        throw new RangeError(`there is no value of the kind ${tag}`);
    }
  }

  /** The characters of some bytes, two of each; after `0x` where `prefix` is 2. */
  #nibbles(bytes: number, codes: Uint8Array, prefix: 0 | 2): string {
    const length = prefix + bytes * 2;
    const scratch = codesOf(length);
    if (prefix === 2) [scratch[0], scratch[1]] = [48, 120];
    for (let to: number = prefix; to < length; to += 2) {
      const byte = this.#byte();
      scratch[to] = codes[byte >> 4] as number;
      scratch[to + 1] = codes[byte & 15] as number;
    }
    return textOf(scratch);
  }

  #uuid(): string {
    const scratch = codesOf(uuidLength);
    for (let to = 0; to < uuidLength; to += 2) {
      if (hyphens.includes(to)) scratch[to++] = 45;
      const byte = this.#byte();
      scratch[to] = hexCodes[byte >> 4] as number;
      scratch[to + 1] = hexCodes[byte & 15] as number;
    }
    return textOf(scratch);
  }

  #characters(length: number, width: 1 | 2): string {
    const end = this.at + length * width;
    if (end > this.#bytes.length) throw new RangeError('a text is cut');
    const scratch = codesOf(length);
    for (let i = 0; i < length; i++) {
      scratch[i] = width === 1 ? (this.#bytes[this.at + i] as number) : this.#view.getUint16(this.at + i * 2, true);
    }
    this.at = end;
    return textOf(scratch);
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new RangeError('a value is cut');
    return byte;
  }
}

/** As many characters as a call takes without running out of stack. */
const atOnce = 4096;
/** Lists for the characters of a text, by its length: to make one for each text takes longer than to fill it. */
const codesKept: number[][] = [];

function codesOf(length: number): number[] {
  if (length >= 256) return Array.from({ length }, () => 0);
  return (codesKept[length] ??= Array.from({ length }, () => 0));
}

function textOf(codes: number[]): string {
  if (codes.length <= atOnce) return String.fromCharCode(...codes);
  let text = '';
  for (let at = 0; at < codes.length; at += atOnce) text += String.fromCharCode(...codes.slice(at, at + atOnce));
  return text;
}
