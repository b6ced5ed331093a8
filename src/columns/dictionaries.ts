/** The stored strings of each code column; the place in the list is the code, and code 0 is null. */
export type Dictionaries = Readonly<Record<string, readonly (string | null)[]>>;

/** The strings of one code column, numbered as they come. Codes are never taken back. */
export class Dictionary {
  readonly values: (string | null)[];
  private readonly codes = new Map<string | null, number>();

  constructor(stored: readonly (string | null)[] = [null]) {
    this.values = [...stored];
    if (this.values[0] !== null) throw new RangeError('A dictionary begins with null');
    for (const [code, value] of this.values.entries()) this.codes.set(value, code);
  }

  /** The code of a string (0 for null), or undefined for one that no row ever had. */
  find(value: string | null): number | undefined {
    return this.codes.get(value);
  }

  /** The code of a string, a new one if need be. */
  add(value: string | null): number {
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    this.codes.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
