import { type Bits, setBit, wordsFor } from './bits.ts';
import type { Chunk } from './chunks.ts';
import { parseDecimal, writeDecimal } from './decimals.ts';
import type { Dictionary } from './dictionaries.ts';
import type { Key } from './keys.ts';
import type { Layout, Row } from './schema.ts';
import { allocateHot, nullSmall, nullText, type Hot, type TextColumn } from './segments.ts';
import { utf8Room, writeUtf8 } from './utf8.ts';

type GrowingText = { offsets: Uint32Array<ArrayBuffer>; bytes: Uint8Array<ArrayBuffer> };

/** Rows in the order in which they came, with room to grow: the delta and the overlay. Always has its text. */
export class LooseChunk implements Chunk {
  readonly sorted = false;
  rows = 0;
  hot: Hot;
  readonly texts: Readonly<Record<string, TextColumn>>;
  dead: Bits;
  hidden: Bits;
  private readonly layout: Layout;
  private readonly dictionaries: ReadonlyMap<string, Dictionary>;
  private readonly byKey = new Map<string, number>();
  private readonly growing: Map<string, GrowingText>;

  constructor(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, capacity = 64) {
    this.layout = layout;
    this.dictionaries = dictionaries;
    this.hot = allocateHot(layout, capacity);
    this.growing = new Map(
      layout.texts.map((name) => [name, { offsets: new Uint32Array(capacity + 1), bytes: new Uint8Array(capacity * 32) }]),
    );
    this.texts = Object.fromEntries(this.growing);
    this.dead = new Uint32Array(wordsFor(capacity));
    this.hidden = new Uint32Array(wordsFor(capacity));
  }

  /** The keys of the rows that are not dead. */
  keys(): Iterable<string> {
    return this.byKey.keys();
  }

  find(key: Key): number {
    return this.byKey.get(key.text) ?? -1;
  }

  /** Ends the row of a key. False when there is none. */
  remove(key: Key): boolean {
    const row = this.find(key);
    if (row < 0) return false;
    setBit(this.dead, row);
    return this.byKey.delete(key.text);
  }

  /** Marks a row that the overlay stands in for. */
  hide(row: number): void {
    setBit(this.hidden, row);
  }

  /** Adds a row that `checkRows` has let through, in place of an older one of the same key. @returns its number. */
  add(row: Row, { words }: Key, place: number): number {
    if (this.rows === this.hot.time.length) this.grow();
    const { layout, hot, byKey } = this;
    const at = this.rows++;
    const older = byKey.get(row.key);
    if (older !== undefined) setBit(this.dead, older);
    byKey.set(row.key, at);
    hot.time[at] = row.time + 0;
    hot.place[at] = place;
    for (let word = 0; word < 4; word++) hot.key[at * 4 + word] = words[word] as number;
    for (const name of layout.codes) put(hot.codes[name], at, this.dictionaries.get(name)?.add((row.values[name] as string) ?? null));
    for (const name of layout.smalls) put(hot.smalls[name], at, (row.values[name] as number) ?? nullSmall);
    for (const [bit, name] of layout.flags.entries()) {
      if (row.values[name] === true) put(hot.flags, at, (hot.flags[at] as number) | (1 << bit));
    }
    for (const name of layout.decimals) {
      const text = (row.values[name] ?? null) as string | null;
      const column = hot.decimals[name];
      if (column && text !== null) writeDecimal(column, at, parseDecimal(text, name));
    }
    for (const [name, column] of this.growing) this.addText(column, at, (row.values[name] ?? null) as string | null);
    return at;
  }

  private addText(column: GrowingText, row: number, text: string | null): void {
    const at = column.offsets[row] as number;
    const lower = text?.toLowerCase() ?? '';
    if (at + utf8Room(lower) + 1 > column.bytes.length) {
      column.bytes = longer(column.bytes, (at + utf8Room(lower) + 1) * 2);
    }
    if (text === null) column.bytes[at] = nullText;
    column.offsets[row + 1] = text === null ? at + 1 : writeUtf8(lower, column.bytes, at);
  }

  // Arrays are replaced, never shrunk, so a selection that still holds this chunk keeps seeing its rows.
  private grow(): void {
    const capacity = this.hot.time.length * 2;
    const { time, key, place, flags, codes, smalls, decimals } = this.hot;
    const empty = allocateHot(this.layout, capacity);
    const fill = (into: { set(from: ArrayLike<number>): void } | undefined, from: ArrayLike<number>) => into?.set(from);
    empty.time.set(time);
    empty.key.set(key);
    empty.place.set(place);
    empty.flags.set(flags);
    for (const [name, column] of Object.entries(codes)) fill(empty.codes[name], column);
    for (const [name, column] of Object.entries(smalls)) fill(empty.smalls[name], column);
    for (const [name, column] of Object.entries(decimals)) {
      const into = empty.decimals[name];
      for (const limb of ['d0', 'd1', 'd2', 'd3'] as const) fill(into?.[limb], column[limb]);
      for (const [row, value] of column.side) into?.side.set(row, value);
    }
    this.hot = empty;
    this.dead = longer32(this.dead, wordsFor(capacity));
    this.hidden = longer32(this.hidden, wordsFor(capacity));
    for (const column of this.growing.values()) column.offsets = longer32(column.offsets, capacity + 1);
  }
}

function put(column: { [row: number]: number } | undefined, row: number, value: number | undefined): void {
  if (column && value !== undefined) column[row] = value;
}

function longer(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length);
  copy.set(bytes);
  return copy;
}

function longer32(words: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(words);
  return copy;
}
