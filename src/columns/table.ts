import { liveRows } from './chunks.ts';
import { looksAtText, spanOf } from './conditions.ts';
import { beginCompaction, textNeededToCompact } from './compaction.ts';
import { readBatch } from './encode.ts';
import { TextNotLoadedError } from './errors.ts';
import { keyOf } from './keys.ts';
import { LooseChunk } from './loose-chunk.ts';
import type { Query } from './query.ts';
import { expectKind, layoutOf, type Row, type Schema } from './schema.ts';
import type { Rewriting, Sealed } from './rewriting.ts';
import { beginSeal, rowsToSeal, textNeededBy } from './seal.ts';
import { expectText, type Segment, type StoredText, verifyText } from './segments.ts';
import { Selection } from './selection.ts';
import {
  attachSegments,
  countChange,
  findInBase,
  hideBase,
  openState,
  removeFromBase,
  removeFromSegments,
  type StoredTable,
  type TableState,
  usualSegment,
} from './table-state.ts';

/**
 * Opens a table on what its seals have written (`verifySegment` first where the storage may be damaged), or an empty one.
 * @param maxRows the most rows of a segment: as many as usual but in tests.
 */
export function createTable(schema: Schema, stored: StoredTable = { segments: [], dictionaries: {} }, maxRows = usualSegment): Table {
  return new Table(openState(layoutOf(schema), stored, maxRows));
}

/** Rows in memory, by column. The base (segments and delta) holds what was put; the overlay stands in for some of it in every query. */
export class Table {
  private readonly state: TableState;

  constructor(state: TableState) {
    this.state = state;
  }

  /** Counts the changes that a query can see; a selection with another number is not of this moment. */
  get revision(): number {
    return this.state.revision;
  }

  /** How many rows a query without conditions matches. */
  get size(): number {
    const { segments, delta, overlay } = this.state;
    return [...segments, delta, overlay].reduce((sum, chunk) => sum + liveRows(chunk), 0);
  }

  /** How many rows wait to be sealed and are scanned by every query, replaced ones among them. */
  get deltaRows(): number {
    return this.state.delta.rows;
  }

  /** Whether the base has a row of this key. */
  has(key: string): boolean {
    return findInBase(this.state, keyOf(key)) !== null;
  }

  /** Whether a segment of this number is part of the table. */
  hasPartition(partition: number): boolean {
    return this.state.segments.some(({ segment }) => segment.partition === partition);
  }

  /** The place of the base row of this key. */
  placeOf(key: string): number | undefined {
    const found = findInBase(this.state, keyOf(key));
    return found?.chunk.hot.place[found.row];
  }

  /** The string of each code of a code column; code 0 is null. Codes never change their meaning; new ones come at the end. */
  codes(column: string): readonly (string | null)[] {
    expectKind(this.state.layout, column, ['code']);
    return this.state.dictionaries.get(column)?.values ?? [];
  }

  /** How many strings the code columns know in all; it only grows. */
  get codesKnown(): number {
    return Array.from(this.state.dictionaries.values()).reduce((sum, { values }) => sum + values.length, 0);
  }

  /**
   * Inserts rows, each in place of the base row of the same key; `places[i]` is the place of `rows[i]`. The last of a key wins. Throws a
   * RangeError that names column and value, before anything changes, when a value cannot be stored.
   */
  put(rows: readonly Row[], places: readonly number[]): void {
    const { state } = this;
    this.expectNoRewriting();
    const batch = readBatch(state.layout, rows, places);
    const first = state.delta.rows;
    state.delta.add(batch, (keys, row) => removeFromSegments(state, keys, row * 4));
    if (state.hiddenKeys.size > 0) for (const [i, row] of rows.entries()) if (state.hiddenKeys.has(row.key)) state.delta.hide(first + i);
    if (rows.length > 0) countChange(state);
  }

  /** Removes the base rows of some keys. @returns how many there were. */
  remove(keys: readonly string[]): number {
    this.expectNoRewriting();
    const removed = keys.filter((key) => removeFromBase(this.state, keyOf(key))).length;
    if (removed > 0) countChange(this.state);
    return removed;
  }

  /**
   * Replaces the whole overlay: rows that stand in for the base rows of their keys, or are new, in every query. Rows of the keys in
   * `without` are hidden with nothing in their stead. The base stays as it is; empty lists clear the overlay.
   */
  setOverlay(rows: readonly Row[], places: readonly number[], without: readonly string[] = []): void {
    const { state } = this;
    const batch = readBatch(state.layout, rows, places);
    const overlay = new LooseChunk(state.layout, state.dictionaries, { rows: Math.max(1, rows.length), forms: new Map() });
    overlay.add(batch);
    state.overlay = overlay;
    state.hiddenKeys = new Set([...rows.map(({ key }) => key), ...without]);
    hideBase(state);
    countChange(state);
  }

  /** The partitions whose text a query needs and that is not loaded. */
  needsText({ where = [], sort = [] }: Query): number[] {
    const { layout, segments } = this.state;
    if (!looksAtText(where) && !sort.some(({ column }) => layout.kinds.get(column) === 'text')) return [];
    const { from, to } = spanOf(where);
    const open = segments.filter(({ text, segment }) => text === null && segment.newest >= from && segment.oldest <= to);
    return open.map(({ segment }) => segment.partition);
  }

  /**
   * Adds stored segments that the table was opened without. Rows put since stand in for theirs; nothing may have been removed or sealed.
   * Throws a RangeError when they do not fit the schema.
   */
  attach(segments: readonly Segment[]): void {
    this.expectNoRewriting();
    attachSegments(this.state, segments);
  }

  /** The text columns, which a partition is to be given one by one. */
  get textColumns(): readonly string[] {
    return this.state.layout.texts;
  }

  /** Gives a partition one of its text columns. Throws a RangeError when the text is damaged, or is not this partition's. */
  loadText(partition: number, column: string, text: StoredText): void {
    const { layout, segments } = this.state;
    const chunk = segments.find(({ segment }) => segment.partition === partition);
    if (!chunk) throw new RangeError(`Partition ${partition} is not in this table`);
    expectKind(layout, column, ['text']);
    expectText(chunk.segment, column, text);
    if (!verifyText(chunk.segment, column, text)) throw new RangeError(`The text "${column}" of partition ${partition} is damaged`);
    chunk.takeText(column, text, layout.texts);
  }

  /** Runs a query. Throws a RangeError for an unknown column or a malformed bound, a TextNotLoadedError when it needs text (see `needsText`). */
  select(query: Query): Selection {
    const missing = this.needsText(query);
    if (missing.length > 0) throw new TextNotLoadedError(missing);
    return new Selection(this.state, query);
  }

  /** How many rows `seal` would write: those that wait, and those of the segments that have lost any. */
  get rowsToSeal(): number {
    return rowsToSeal(this.state);
  }

  /** The partitions whose text `seal` needs and that is not loaded. */
  textNeededToSeal(): number[] {
    return textNeededBy(this.state);
  }

  /**
   * Turns delta and removals into sorted segments, in one go: `beginSeal` and all its steps. Queries give the same as before. Rows that
   * come without a removal become segments of their own, beside or across those that are there; `beginCompaction` merges them.
   */
  seal(): Sealed {
    return this.beginSeal().finish();
  }

  /** Begins a seal, to be done in slices. One that has begun and is not finished is abandoned. */
  beginSeal(): Rewriting {
    return beginSeal(this.state);
  }

  /** The partitions whose text `beginCompaction` needs and that is not loaded. */
  textNeededToCompact(thorough = false): number[] {
    return textNeededToCompact(this.state, thorough);
  }

  /**
   * Begins to merge some small or overlapping segments into fuller ones, in slices as a seal, or gives null when that is not worth it. To
   * be called after a seal until it gives null.
   * @param thorough merges until no segments overlap and all but few are full, for when no more rows are expected soon.
   */
  beginCompaction(thorough = false): Rewriting | null {
    return beginCompaction(this.state, thorough);
  }

  private expectNoRewriting(): void {
    if (this.state.rewriting) throw new Error('A seal or compaction has begun: finish or abandon it before rows change');
  }
}
