import { type Bits, hasBit, setBit, wordsFor } from './bits.ts';
import type { Chunk } from './chunks.ts';
import {
  allocateDecimals,
  copyDecimals,
  type DecimalColumn,
  type DecimalForm,
  digitsOf,
  formOf,
  limbsFor,
  mostLimbs,
} from './decimal-columns.ts';
import type { Dictionary } from './dictionaries.ts';
import type { Batch } from './encode.ts';
import { GrowingKeyIndex } from './key-index.ts';
import { writeKey } from './keys.ts';
import type { Layout, Row } from './schema.ts';
import { addTexts, type GrowingText } from './loose-texts.ts';
import { type Hot, nullSmall, type TextColumn } from './segments.ts';

type LooseTime = { readonly base: 0; readonly unit: 1; readonly at: Float64Array };
type LooseHot = {
  time: LooseTime;
  key: Uint32Array;
  place: Uint32Array;
  flags: Uint8Array;
  codes: Record<string, Uint32Array>;
  smalls: Record<string, Uint8Array>;
  decimals: Record<string, DecimalColumn>;
};

/** What is known beforehand of the rows to come: how many, and the forms of the decimals before them. */
export type Expected = { readonly rows: number; readonly forms: ReadonlyMap<string, DecimalForm> };

/**
 * Rows in the order in which they came, with room to grow: the delta and the overlay. Always has its text. Its codes and times are as wide
 * as they get; its decimals take the form that the values so far ask for.
 */
export class LooseChunk implements Chunk {
  readonly sorted = false;
  rows = 0;
  readonly texts: Readonly<Record<string, TextColumn>>;
  dead: Bits;
  hidden: Bits;
  private readonly layout: Layout;
  private readonly dictionaries: ReadonlyMap<string, Dictionary>;
  private readonly index = new GrowingKeyIndex();
  private readonly loose: LooseHot;
  private readonly growing: ReadonlyMap<string, GrowingText>;

  constructor(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, { rows, forms }: Expected = { rows: 64, forms: new Map() }) {
    this.layout = layout;
    this.dictionaries = dictionaries;
    this.loose = allocateLoose(layout, rows, forms);
    this.growing = new Map(layout.texts.map((name) => [name, { offsets: new Uint32Array(rows + 1), bytes: new Uint8Array(rows * 32) }]));
    this.texts = Object.fromEntries(this.growing);
    this.dead = new Uint32Array(wordsFor(rows));
    this.hidden = new Uint32Array(wordsFor(rows));
  }

  get hot(): Hot {
    return this.loose;
  }

  /** How many rows there is room for. */
  get capacity(): number {
    return this.loose.place.length;
  }

  /** Forgets all rows but keeps their memory, for rows of which the forms of the decimals are known. Who still reads the old rows must not. */
  clear(forms: ReadonlyMap<string, DecimalForm>): void {
    this.rows = 0;
    this.index.clear();
    this.dead.fill(0);
    this.hidden.fill(0);
    for (const [name, column] of Object.entries(this.loose.decimals)) {
      const form = forms.get(name) ?? formOf(column);
      const isSame = form.scale === column.scale && form.limbs === formOf(column).limbs;
      if (isSame) column.side.clear();
      else this.loose.decimals[name] = allocateDecimals(this.capacity, form);
    }
  }

  find(words: Uint32Array, at: number): number {
    return this.index.find(this.loose.key, words, at);
  }

  /** The row of a key that is not dead, or -1. */
  findLive(words: Uint32Array, at: number): number {
    const row = this.find(words, at);
    return row >= 0 && !hasBit(this.dead, row) ? row : -1;
  }

  /** Ends a row. */
  end(row: number): void {
    setBit(this.dead, row);
  }

  /** Marks a row that the overlay stands in for. */
  hide(row: number): void {
    setBit(this.hidden, row);
  }

  /**
   * Adds rows, each in place of an older one of the same key.
   * @param onNew told each row whose key was in no living row here.
   */
  add(batch: Batch, onNew?: (keys: Uint32Array, row: number) => void): void {
    const first = this.rows;
    const end = first + batch.rows.length;
    if (end > this.loose.place.length) this.grow(end);
    const { loose } = this;
    const { rows } = batch;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as Row;
      loose.time.at[first + i] = row.time + 0;
      writeKey(row.key, loose.key, (first + i) * 4);
    }
    loose.place.set(batch.places, first);
    loose.flags.set(batch.flags, first);
    for (const [name, column] of Object.entries(loose.codes)) this.dictionaries.get(name)?.encode(rows, name, column, first);
    for (const [name, column] of Object.entries(loose.smalls)) addSmalls(column, first, rows, name);
    for (const [name, texts] of batch.decimals) {
      this.widen(name, texts.scale, (scale) => texts.limbsAt(scale));
      texts.write(loose.decimals[name] as DecimalColumn, first, rows);
    }
    for (const [name, column] of this.growing) addTexts(column, first, rows, name);
    this.rows = end;
    for (let row = first; row < end; row++) {
      const older = this.index.add(loose.key, row);
      if (older >= 0 && !hasBit(this.dead, older)) setBit(this.dead, older);
      else onNew?.(loose.key, row);
    }
  }

  /** Gives a decimal column the form that its values and the coming ones ask for. */
  private widen(name: string, scale: number, limbsAt: (scale: number) => number): void {
    const column = this.loose.decimals[name] as DecimalColumn;
    const form = formOf(column);
    const wide = { scale: Math.max(form.scale, scale), limbs: form.limbs };
    if (form.limbs > 0 && wide.scale > form.scale) wide.limbs = limbsFor(digitsOf(form.limbs) + wide.scale - form.scale);
    wide.limbs = Math.min(mostLimbs, Math.max(wide.limbs, limbsAt(wide.scale)));
    if (wide.scale === form.scale && wide.limbs === form.limbs) return;
    this.loose.decimals[name] = reformed(column, wide, this.rows, this.loose.place.length);
  }

  // Arrays are replaced, never shrunk, so a selection that still holds this chunk keeps seeing its rows.
  private grow(rows: number): void {
    const { loose } = this;
    const capacity = Math.max(rows, loose.place.length * 2);
    const old = { ...loose };
    const empty = allocateLoose(this.layout, capacity, new Map());
    for (const name of ['key', 'place', 'flags'] as const) empty[name].set(old[name]);
    empty.time.at.set(old.time.at);
    for (const [name, column] of Object.entries(old.codes)) empty.codes[name]?.set(column);
    for (const [name, column] of Object.entries(old.smalls)) empty.smalls[name]?.set(column);
    for (const [name, column] of Object.entries(old.decimals)) empty.decimals[name] = reformed(column, formOf(column), this.rows, capacity);
    Object.assign(loose, empty);
    this.dead = longer(this.dead, wordsFor(capacity));
    this.hidden = longer(this.hidden, wordsFor(capacity));
    for (const column of this.growing.values()) column.offsets = longer(column.offsets, capacity + 1);
  }
}

function allocateLoose(layout: Layout, rows: number, forms: ReadonlyMap<string, DecimalForm>): LooseHot {
  return {
    time: { base: 0, unit: 1, at: new Float64Array(rows) },
    key: new Uint32Array(rows * 4),
    place: new Uint32Array(rows),
    flags: new Uint8Array(rows),
    codes: Object.fromEntries(layout.codes.map((name) => [name, new Uint32Array(rows)])),
    smalls: Object.fromEntries(layout.smalls.map((name) => [name, new Uint8Array(rows)])),
    decimals: Object.fromEntries(layout.decimals.map((name) => [name, allocateDecimals(rows, forms.get(name) ?? { scale: 0, limbs: 0 })])),
  };
}

function reformed(column: DecimalColumn, form: DecimalForm, rows: number, capacity: number): DecimalColumn {
  const wide = allocateDecimals(capacity, form);
  copyDecimals(column, 0, wide, 0, rows);
  for (const [row, value] of column.side) wide.side.set(row, value);
  return wide;
}

function addSmalls(column: Uint8Array, first: number, rows: readonly Row[], name: string): void {
  for (let i = 0; i < rows.length; i++) column[first + i] = ((rows[i] as Row).values[name] as number | null | undefined) ?? nullSmall;
}

function longer(words: Uint32Array, length: number): Uint32Array {
  const copy = new Uint32Array(length);
  copy.set(words);
  return copy;
}
