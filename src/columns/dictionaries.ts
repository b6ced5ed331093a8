import { byName, mixText, mixTexts } from './checksum.ts';
import type { Row } from './schema.ts';

/** The stored strings of each code column; the place in the list is the code, and code 0 is null. */
export type Dictionaries = Readonly<Record<string, readonly (string | null)[]>>;

/** The 32-bit checksum of dictionaries. */
export function dictionariesChecksumOf(dictionaries: Dictionaries): number {
  return byName(dictionaries).reduce((sum, [name, values]) => mixTexts(mixText(sum, name), values), 0) >>> 0;
}

/** The strings of one code column, numbered as they come. Codes are never taken back. */
export class Dictionary {
  readonly values: (string | null)[];
  /** The code of each, made when somebody first asks by a string: who opens a set and looks at its newest rows does not. */
  private codes: Map<string | null, number> | null = null;
  /** The codes of strings seen lately, by their last characters: to compare two strings costs less than to hash one. */
  private readonly recent = new Uint32Array(4096);

  constructor(stored: readonly (string | null)[] = [null]) {
    this.values = [...stored];
    if (this.values[0] !== null) throw new RangeError('A dictionary begins with null');
  }

  private get known(): Map<string | null, number> {
    if (this.codes === null) {
      this.codes = new Map();
      for (const [code, value] of this.values.entries()) this.codes.set(value, code);
    }
    return this.codes;
  }

  /** The code of a string (0 for null), or undefined for one that no row ever had. */
  find(value: string | null): number | undefined {
    return this.known.get(value);
  }

  /** The code of a string, a new one if need be. */
  add(value: string | null): number {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    this.known.set(value, this.values.length);
    return this.values.push(value) - 1;
  }

  /** Writes the codes of a column of some rows, new ones if need be. */
  encode(rows: readonly Row[], name: string, into: Uint32Array, at: number): void {
    for (let i = 0; i < rows.length; i++) {
      const value = ((rows[i] as Row).values[name] as string | null | undefined) ?? null;
      into[at + i] = value === null ? 0 : this.codeOf(value);
    }
  }

  private codeOf(value: string): number {
    const { recent, values } = this;
    const end = value.length - 1;
    const slot = end < 2 ? 0 : (value.charCodeAt(end) * 961 + value.charCodeAt(end - 1) * 31 + value.charCodeAt(end - 2) * 7) & 4095;
    const known = recent[slot] as number;
    if (values[known] === value) return known;
    const code = this.add(value);
    recent[slot] = code;
    return code;
  }
}
