// Rows as text, a line each: whoever wants one of them reads no other. What their fields are called stands once, in the first line.

type Fields = readonly string[];

/** Rows as one text. A field without a value is left out, as JSON does. */
export function linesOf(rows: readonly object[]): string {
  const shapes: Fields[] = [];
  const lines = rows.map((row) => {
    const entries = Object.entries(row).filter(([, value]) => value !== undefined);
    return JSON.stringify([shapeOf(entries, shapes), ...entries.map(([, value]) => value)]);
  });
  return [JSON.stringify(shapes), ...lines].join('\n');
}

/** Which of the shapes has the same fields in the same order; a new one where none has. */
function shapeOf(entries: readonly [string, unknown][], shapes: Fields[]): number {
  const known = shapes.findIndex((fields) => fields.length === entries.length && fields.every((field, at) => field === entries[at]?.[0]));
  return known >= 0 ? known : shapes.push(entries.map(([field]) => field)) - 1;
}

/** The rows of a text. Whatever reads one throws where it is not what was written. */
export class RowLines<R> {
  readonly #lines: readonly string[];
  readonly #rows = new Map<number, R>();
  #shapes: readonly Fields[] | null = null;

  constructor(text: string) {
    // an older build wrote a list of objects, in one line
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
