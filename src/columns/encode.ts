import { DecimalTexts } from './decimal-texts.ts';
import type { ColumnKind, Layout, Row, Value } from './schema.ts';

/** Some rows that can be stored, with the decimals in their texts read. */
export type Batch = {
  readonly rows: readonly Row[];
  readonly places: readonly number[];
  /** The flags of each row, in the bits of the layout. */
  readonly flags: Uint8Array;
  readonly decimals: ReadonlyMap<string, DecimalTexts>;
};

/** Makes sure that rows can be stored, all of them, before anything changes. Throws a RangeError naming column and value otherwise. */
export function readBatch(layout: Layout, rows: readonly Row[], places: readonly number[]): Batch {
  if (rows.length !== places.length) throw new RangeError(`${rows.length} rows came with ${places.length} places`);
  for (const place of places) {
    if (place !== place >>> 0) throw new RangeError(`Place ${place} is not a whole number below 2^32`);
  }
  for (const row of rows) {
    if (typeof row.key !== 'string') throw new RangeError(`Key ${String(row.key)} is not a string`);
    if (!Number.isSafeInteger(row.time)) throw new RangeError(`Column "time": ${row.time} is not a whole number of milliseconds`);
  }
  // How many columns each row named: with fewer than it has keys, one of them is unknown.
  const named = new Uint16Array(rows.length);
  const flags = new Uint8Array(rows.length);
  for (const [bit, name] of layout.flags.entries()) readFlags(rows, name, 1 << bit, flags, named);
  for (const name of layout.codes) expectStrings(rows, name, 'code', named);
  for (const name of layout.texts) expectStrings(rows, name, 'text', named);
  for (const name of layout.smalls) expectSmalls(rows, name, named);
  const decimals = new Map(layout.decimals.map((name, ordinal) => [name, readDecimals(rows, name, ordinal, named)]));
  for (let i = 0; i < rows.length; i++) {
    let names = 0;
    const { values } = rows[i] as Row;
    // no list of the names, which would be one more object a row
    for (const name in values) if (name !== '') names++;
    if (names !== named[i]) expectKnown(layout, Object.keys(values));
  }
  return { rows, places, flags, decimals };
}

function expectKnown(layout: Layout, names: readonly string[]): void {
  const unknown = names.find((name) => !layout.kinds.has(name));
  if (unknown !== undefined) throw new RangeError(`Unknown column "${unknown}"`);
}

// Column by column, so that in each loop one name is read from rows that look alike.
function expectStrings(rows: readonly Row[], name: string, kind: ColumnKind, named: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const value = (rows[i] as Row).values[name];
    if (value === undefined) continue;
    named[i] = (named[i] as number) + 1;
    if (typeof value !== 'string' && value !== null) refuse(name, value, kind);
  }
}

function expectSmalls(rows: readonly Row[], name: string, named: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const value = (rows[i] as Row).values[name];
    if (value === undefined) continue;
    named[i] = (named[i] as number) + 1;
    const isSmall = typeof value === 'number' && value === (value & 0xff) && value <= 254;
    if (!isSmall && value !== null) refuse(name, value, 'small');
  }
}

function readFlags(rows: readonly Row[], name: string, bit: number, flags: Uint8Array, named: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const value = (rows[i] as Row).values[name];
    if (value === undefined) continue;
    named[i] = (named[i] as number) + 1;
    if (value === true) flags[i] = (flags[i] as number) | bit;
    else if (value !== false) refuse(name, value, 'flag');
  }
}

function readDecimals(rows: readonly Row[], name: string, ordinal: number, named: Uint16Array): DecimalTexts {
  const decimals = new DecimalTexts(name, rows.length, ordinal);
  for (let i = 0; i < rows.length; i++) {
    const value = (rows[i] as Row).values[name];
    if (value === null || value === undefined) decimals.skip(i);
    else if (typeof value !== 'string' || !decimals.read(i, value)) refuse(name, value, 'decimal');
    if (value !== undefined) named[i] = (named[i] as number) + 1;
  }
  return decimals;
}

function refuse(column: string, value: Value, kind: ColumnKind): never {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new RangeError(`Column "${column}": ${shown} is not ${wanted[kind]}`);
}

const wanted = {
  code: 'a string or null',
  text: 'a string or null',
  small: 'a whole number from 0 to 254 or null',
  flag: 'true or false',
  decimal: 'a decimal text or null',
} as const;
