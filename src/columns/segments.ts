import { mixArray, mixNumbers, mixText } from './checksum.ts';
import { allocateDecimals, type DecimalColumn } from './decimals.ts';
import type { Layout } from './schema.ts';

/** The hot tier of some rows, column-major. All arrays hold one entry a row, but `key`, which holds four words (see `keys.ts`). */
export type Hot = {
  readonly time: Float64Array;
  readonly key: Uint32Array;
  /** The caller's address of the row, opaque here. */
  readonly place: Uint32Array;
  readonly flags: Uint8Array;
  readonly codes: Readonly<Record<string, Uint32Array>>;
  /** 0 to 254; 255 is null. */
  readonly smalls: Readonly<Record<string, Uint8Array>>;
  readonly decimals: Readonly<Record<string, DecimalColumn>>;
};

/** The lower-cased UTF-8 bytes of `rows` texts: row r lies at `offsets[r]` to `offsets[r + 1]`. Null is the single byte 255. */
export type TextColumn = { readonly offsets: Uint32Array; readonly bytes: Uint8Array };

/** The lazy tier of a segment. */
export type TextTier = { readonly checksum: number; readonly columns: Readonly<Record<string, TextColumn>> };

/** At most 65,536 rows in the order (time descending, key descending): a plain object that can be cloned and stored. */
export type Segment = {
  /** Names the segment in its table. A rewritten segment gets a new number, so while the table is open a number means the same bytes. */
  readonly partition: number;
  readonly rows: number;
  /** The largest and the smallest time, in milliseconds. */
  readonly newest: number;
  readonly oldest: number;
  /** Over everything but the text, which has its own. */
  readonly checksum: number;
  readonly hot: Hot;
  /** Null when the tier is stored apart and not loaded, or when the schema has no text. */
  readonly text: TextTier | null;
};

/** The byte that stands for a null text. UTF-8 never has it, and it sorts after every text. */
export const nullText = 0xff;

/** The value that stands for null in a small column. */
export const nullSmall = 255;

/** Hot columns for `rows` rows, decimals null, all else zero. */
export function allocateHot(layout: Layout, rows: number): Hot {
  return {
    time: new Float64Array(rows),
    key: new Uint32Array(rows * 4),
    place: new Uint32Array(rows),
    flags: new Uint8Array(rows),
    codes: Object.fromEntries(layout.codes.map((name) => [name, new Uint32Array(rows)])),
    smalls: Object.fromEntries(layout.smalls.map((name) => [name, new Uint8Array(rows)])),
    decimals: Object.fromEntries(layout.decimals.map((name) => [name, allocateDecimals(rows)])),
  };
}

/** Parts a segment into what every query needs and the text tier, to be stored apart (`text` is null where there is none). */
export function splitSegment(segment: Segment): { hot: Segment; text: TextTier | null } {
  return { hot: { ...segment, text: null }, text: segment.text };
}

/** Whether a segment's bytes (and those of its text, if it is there) are the ones that were written. */
export function verifySegment(segment: Segment): boolean {
  return segment.checksum === checksumOf(segment) && (segment.text === null || verifyText(segment, segment.text));
}

/** Whether a text tier is whole and belongs to a segment. */
export function verifyText(segment: Segment, text: TextTier): boolean {
  return text.checksum === textChecksumOf(segment, text.columns);
}

/** The 32-bit checksum of a segment's numbers and hot tier. */
export function checksumOf({ partition, rows, newest, oldest, hot }: Omit<Segment, 'checksum' | 'text'>): number {
  let sum = mixNumbers(0, [partition, rows, newest, oldest]);
  for (const array of [hot.time, hot.key, hot.place, hot.flags]) sum = mixArray(sum, array);
  for (const [name, array] of [...entriesOf(hot.codes), ...entriesOf(hot.smalls)]) sum = mixArray(mixText(sum, name), array);
  for (const [name, column] of entriesOf(hot.decimals)) {
    sum = mixText(sum, name);
    for (const array of [column.d0, column.d1, column.d2, column.d3]) sum = mixArray(sum, array);
    for (const [row, { unscaled, scale }] of column.side) sum = mixText(mixNumbers(sum, [row, scale]), String(unscaled));
  }
  return sum >>> 0;
}

/** The 32-bit checksum of a segment's text tier, bound to the segment's own. */
export function textChecksumOf({ partition, checksum }: Pick<Segment, 'partition' | 'checksum'>, columns: TextTier['columns']): number {
  let sum = mixNumbers(0, [partition, checksum]);
  for (const [name, { offsets, bytes }] of entriesOf(columns)) sum = mixArray(mixArray(mixText(sum, name), offsets), bytes);
  return sum >>> 0;
}

/** Makes sure that a stored segment has every column of the layout, at the right length. Throws a RangeError otherwise. */
export function expectShape(layout: Layout, segment: Segment, maxRows: number): void {
  const { partition, rows, hot, text } = segment;
  const expectLength = (name: string, length: number | undefined, expected: number) => {
    if (length !== expected) throw new RangeError(`Partition ${partition}: column "${name}" has ${length} entries, not ${expected}`);
  };
  if (rows < 1 || rows > maxRows) throw new RangeError(`Partition ${partition} has ${rows} rows, not 1 to ${maxRows}`);
  for (const name of ['time', 'place', 'flags'] as const) expectLength(name, hot[name].length, rows);
  expectLength('key', hot.key.length, rows * 4);
  for (const name of layout.codes) expectLength(name, hot.codes[name]?.length, rows);
  for (const name of layout.smalls) expectLength(name, hot.smalls[name]?.length, rows);
  for (const name of layout.decimals) expectLength(name, hot.decimals[name]?.d3.length, rows);
  if (text !== null) for (const name of layout.texts) expectLength(name, text.columns[name]?.offsets.length, rows + 1);
}

function entriesOf<T>(columns: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(columns).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
