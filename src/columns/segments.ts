import { byName, mixArray, mixNumbers, mixText } from './checksum.ts';
import type { DecimalColumn } from './decimal-columns.ts';
import type { Layout } from './schema.ts';
import type { TimeColumn } from './times.ts';

/** The codes of a column, as wide as the largest needs. */
export type CodeColumn = Uint8Array | Uint16Array | Uint32Array;

/** The hot tier of some rows, column-major. All arrays hold one entry a row, but `key`, which holds four words (see `keys.ts`). */
export type Hot = {
  readonly time: TimeColumn;
  readonly key: Uint32Array;
  /** The caller's address of the row, opaque here. */
  readonly place: Uint32Array;
  readonly flags: Uint8Array;
  readonly codes: Readonly<Record<string, CodeColumn>>;
  /** 0 to 254; 255 is null. */
  readonly smalls: Readonly<Record<string, Uint8Array>>;
  readonly decimals: Readonly<Record<string, DecimalColumn>>;
};

/** Places as runs that count up by one: `starts` are the first places, `rows` the rows they are of, or null where each row has its own. */
export type PackedPlaces = { readonly starts: Uint32Array; readonly rows: Uint32Array | null };

/** A decimal column with entries only for `rows`, ascending (null: for all rows); the others are marked (see `DecimalColumn`). */
export type PackedDecimals = DecimalColumn & { readonly rows: Uint16Array | null };

/** A hot tier as it is stored (see `packing.ts`). */
export type PackedHot = Omit<Hot, 'place' | 'decimals'> & {
  readonly place: PackedPlaces;
  readonly decimals: Readonly<Record<string, PackedDecimals>>;
};

/** The lower-cased UTF-8 bytes of `rows` texts: row r lies at `offsets[r]` to `offsets[r + 1]`. Null is the single byte 255. */
export type TextColumn = { readonly offsets: Uint32Array; readonly bytes: Uint8Array };

/** A text column of a segment as it is stored, apart from the others; the checksum binds it to its segment and its name. */
export type StoredText = TextColumn & { readonly checksum: number };

/** The lazy tier of a segment: every text column, by name. */
export type TextTier = Readonly<Record<string, StoredText>>;

/**
 * At most 65,536 rows in the order (time descending, key descending), every column in the narrowest form that holds these rows: a plain
 * object of typed arrays that can be cloned and stored.
 */
export type Segment = {
  /** Names the segment in its table. A rewritten segment gets a new number, so while the table is open a number means the same bytes. */
  readonly partition: number;
  readonly rows: number;
  /** The largest and the smallest time, in milliseconds. */
  readonly newest: number;
  readonly oldest: number;
  /** Over everything but the text, which has its own. */
  readonly checksum: number;
  readonly hot: PackedHot;
  /** Null when the tier is stored apart and not loaded, or when the schema has no text. */
  readonly text: TextTier | null;
};

/** The byte that stands for a null text. UTF-8 never has it, and it sorts after every text. */
export const nullText = 0xff;

/** The value that stands for null in a small column. */
export const nullSmall = 255;

/** Parts a segment into what every query needs and its text columns by name, each to be stored apart. */
export function splitSegment(segment: Segment): { hot: Segment; texts: [string, StoredText][] } {
  return { hot: { ...segment, text: null }, texts: Object.entries(segment.text ?? {}) };
}

/** Whether a segment's bytes (and those of its text, if it is there) are the ones that were written. */
export function verifySegment(segment: Segment): boolean {
  const texts = Object.entries(segment.text ?? {});
  return segment.checksum === checksumOf(segment) && texts.every(([name, text]) => verifyText(segment, name, text));
}

/** Whether a text column is whole and this segment's column of this name. */
export function verifyText(segment: Segment, name: string, text: StoredText): boolean {
  return text.checksum === textChecksum(segment, name, text);
}

type Shape = Omit<Segment, 'checksum' | 'text'>;

/** The 32-bit checksum of a segment's numbers and hot tier. */
function checksumOf(segment: Shape): number {
  return checksumFrom(
    segment,
    hotParts(segment.hot).map((part) => part()),
  );
}

/** The same from the checksums of the parts (see `hotParts`). */
export function checksumFrom({ partition, rows, newest, oldest }: Shape, parts: readonly number[]): number {
  return mixArray(mixNumbers(0, [partition, rows, newest, oldest]), Uint32Array.from(parts)) >>> 0;
}

/** What gives the checksum of each part of a hot tier, to be called one by one. */
export function hotParts({ time, key, place, flags, codes, smalls, decimals }: PackedHot): (() => number)[] {
  return [
    () => mixArray(mixNumbers(time.at.BYTES_PER_ELEMENT, [time.base, time.unit]), time.at),
    () => mixArray(1, key),
    () => mixArray(mixRows(mixArray(2, place.starts), place.rows), flags),
    ...[...byName(codes), ...byName(smalls)].map(
      ([name, column]) =>
        () =>
          mixArray(mixText(column.BYTES_PER_ELEMENT, name), column),
    ),
    ...byName(decimals).map(
      ([name, column]) =>
        () =>
          decimalPart(name, column),
    ),
  ];
}

/** Mixes in the rows of packed entries; none differ from no rows. */
function mixRows(sum: number, rows: Uint16Array | Uint32Array | null): number {
  return rows ? mixArray(sum, rows) : sum;
}

function decimalPart(name: string, { scale, low, top, side, rows }: PackedDecimals): number {
  let sum = mixNumbers(mixText(0, name), [scale, low.length]);
  for (const array of top ? [...low, top] : low) sum = mixArray(sum, array);
  sum = mixRows(sum, rows);
  for (const [row, { unscaled, scale: own }] of side) sum = mixText(mixNumbers(sum, [row, own]), String(unscaled));
  return sum;
}

/** The 32-bit checksum of a text column, bound to its name and its segment. */
export function textChecksum({ partition, checksum }: Pick<Segment, 'partition' | 'checksum'>, name: string, text: TextColumn): number {
  return mixArray(mixArray(mixText(mixNumbers(0, [partition, checksum]), name), text.offsets), text.bytes) >>> 0;
}

/** Makes sure that a stored segment has every column of the layout, at the right length. Throws a RangeError otherwise. */
export function expectShape(layout: Layout, segment: Segment, maxRows: number): void {
  const { partition, rows, hot, text } = segment;
  if (rows < 1 || rows > maxRows) throw new RangeError(`Partition ${partition} has ${rows} rows, not 1 to ${maxRows}`);
  expectLength(partition, 'flags', hot.flags.length, rows);
  // a segment of an older format has its times and places elsewhere
  expectLength(partition, 'time', hot.time.at?.length, rows);
  expectLength(partition, 'place', hot.place.starts?.length, hot.place.rows?.length ?? rows);
  expectLength(partition, 'key', hot.key.length, rows * 4);
  for (const name of layout.codes) expectLength(partition, name, hot.codes[name]?.length, rows);
  for (const name of layout.smalls) expectLength(partition, name, hot.smalls[name]?.length, rows);
  for (const name of layout.decimals) expectDecimals(partition, name, hot.decimals[name], rows);
  if (text !== null) for (const name of layout.texts) expectText(segment, name, text[name]);
}

/** The same of a text column. */
export function expectText({ partition, rows }: Pick<Segment, 'partition' | 'rows'>, name: string, text: TextColumn | undefined): void {
  expectLength(partition, name, text?.offsets.length, rows + 1);
}

function expectLength(partition: number, name: string, length: number | undefined, expected: number): void {
  if (length !== expected) throw new RangeError(`Partition ${partition}: column "${name}" has ${length} entries, not ${expected}`);
}

function expectDecimals(partition: number, name: string, column: PackedDecimals | undefined, rows: number): void {
  if (!column?.low) expectLength(partition, name, undefined, rows);
  const held = column?.rows?.length ?? rows;
  for (const limb of column?.low ?? []) expectLength(partition, name, limb.length, held);
  if (column?.top) expectLength(partition, name, column.top.length, held);
}
