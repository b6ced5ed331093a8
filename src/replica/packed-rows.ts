// Rows as bytes, one after another, so that whoever wants one of them reads no other. A text that stood in a row before is a place there;
// what the fields are called stands once, at the end, with where each row begins.
import { mixArray } from '#columns/checksum.ts';
import { ValueReader, ValueWriter } from './packed-values.ts';

type Fields = readonly string[];
/** Each field with the number that it has for the writer. */
type Shape = { readonly fields: Fields; readonly numbers: readonly number[] };

/** Says how what comes after is written. */
const layout = 1;
/** The checksum of all after it, where the end begins, the layout, and how many rows there are. */
const headBytes = 16;

/** Makes bytes of the rows of a page, some at a time. A field without a value is left out, as JSON does. */
export class RowPacker {
  readonly #writer = new ValueWriter();
  readonly #numbers = new Map<string, number>();

  pack(rows: readonly object[]): Uint8Array<ArrayBuffer> {
    const writer = this.#writer;
    const shapes: Shape[] = [];
    writer.clear(headBytes);
    const starts = rows.map((row) => {
      const start = writer.at;
      const no = this.#shapeOf(row, shapes);
      const { fields, numbers } = shapes[no] as Shape;
      writer.value(no, 0);
      for (let i = 0; i < fields.length; i++) writer.value((row as Record<string, unknown>)[fields[i] as string], numbers[i] as number);
      return start;
    });
    const end = writer.at;
    for (const start of starts) writer.word(start);
    writer.value(
      shapes.map(({ fields }) => fields),
      0,
    );
    const bytes = writer.written();
    const head = new DataView(bytes.buffer);
    for (const [at, word] of [end, layout, rows.length].entries()) head.setUint32(4 + at * 4, word, true);
    head.setUint32(0, checksumOf(bytes), true);
    return bytes;
  }

  /** Which of the shapes has the same fields in the same order; a new one where none has. */
  #shapeOf(row: object, shapes: Shape[]): number {
    const known = shapes.findIndex(({ fields }) => hasFields(row, fields));
    if (known >= 0) return known;
    const fields = Object.entries(row).flatMap(([field, value]) => (value === undefined ? [] : field));
    return shapes.push({ fields, numbers: fields.map((field) => this.#numberOf(field)) }) - 1;
  }

  #numberOf(field: string): number {
    const number = this.#numbers.get(field) ?? this.#numbers.size + 1;
    this.#numbers.set(field, number);
    return number;
  }
}

function hasFields(row: object, fields: Fields): boolean {
  const own = Object.keys(row);
  if (own.length !== fields.length) return false;
  for (let i = 0; i < own.length; i++)
    if (own[i] !== fields[i] || (row as Record<string, unknown>)[own[i] as string] === undefined) return false;
  return true;
}

function checksumOf(bytes: Uint8Array): number {
  return mixArray(layout, bytes.subarray(4)) >>> 0;
}

/** The rows of some bytes. Whatever reads one throws where it is not what was written. */
export class PackedRows<R> {
  /** How many rows there are. */
  readonly length: number;
  readonly #reader: ValueReader;
  readonly #starts: number;
  readonly #rows = new Map<number, R>();
  #shapes: readonly Fields[] | null = null;

  constructor(bytes: Uint8Array) {
    this.#reader = new ValueReader(bytes);
    const sum = this.#reader.word();
    this.#starts = this.#reader.word();
    const written = this.#reader.word();
    this.length = this.#reader.word();
    if (written !== layout || sum !== checksumOf(bytes)) throw new RangeError('the rows are not what was written');
  }

  /** A row, the same object each time; undefined past the last. */
  at(index: number): R | undefined {
    const known = this.#rows.get(index);
    if (known !== undefined || index >= this.length) return known;
    const row = this.#read(index);
    this.#rows.set(index, row);
    return row;
  }

  all(): R[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index) as R);
  }

  #read(index: number): R {
    const reader = this.#reader;
    this.#shapes ??= this.#readShapes();
    reader.at = this.#starts + index * 4;
    reader.at = reader.word();
    const fields = this.#shapes[reader.value() as number] as Fields;
    const row: Record<string, unknown> = {};
    for (const field of fields) {
      const value = reader.value();
      // as a plain field: to set it would set what the row inherits from
      if (field === '__proto__') Object.defineProperty(row, field, { value, enumerable: true, writable: true, configurable: true });
      else row[field] = value;
    }
    return row as R;
  }

  #readShapes(): Fields[] {
    this.#reader.at = this.#starts + this.length * 4;
    return this.#reader.value() as Fields[];
  }
}
