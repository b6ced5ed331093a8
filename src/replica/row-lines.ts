// Rows as text, a line each, as older builds wrote them. What their fields are called stands once, in the first line.

type Fields = readonly string[];

/** The rows of a text. Whatever reads one throws where it is not what was written. */
export class RowLines<R> {
  readonly #lines: readonly string[];
  readonly #rows = new Map<number, R>();
  #shapes: readonly Fields[] | null = null;

  constructor(text: string) {
    // the oldest wrote a list of objects, in one line
    if (text.includes('\n')) this.#lines = text.split('\n');
    else {
      this.#lines = [];
      for (const [index, row] of (JSON.parse(text) as R[]).entries()) this.#rows.set(index, row);
    }
  }

  /** How many rows there are. */
  get length(): number {
    return Math.max(this.#rows.size, this.#lines.length - 1);
  }

  /** A row, the same object each time; undefined past the last. */
  at(index: number): R | undefined {
    const known = this.#rows.get(index);
    const line = this.#lines[index + 1];
    if (known !== undefined || line === undefined) return known;
    const row = this.#read(line);
    this.#rows.set(index, row);
    return row;
  }

  all(): R[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index) as R);
  }

  #read(line: string): R {
    this.#shapes ??= JSON.parse(this.#lines[0] as string) as Fields[];
    const [shape, ...values] = JSON.parse(line) as [number, ...unknown[]];
    const fields = this.#shapes[shape];
    if (fields?.length !== values.length) throw new Error('a row has other fields than are named');
    return Object.fromEntries(fields.map((field, at) => [field, values[at]])) as R;
  }
}
