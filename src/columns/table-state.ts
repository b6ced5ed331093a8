import { hasBit, setBit, wordsFor } from './bits.ts';
import { SegmentChunk } from './chunks.ts';
import { type Dictionaries, Dictionary } from './dictionaries.ts';
import { keyOf } from './keys.ts';
import { LooseChunk } from './loose-chunk.ts';
import { runsOf } from './runs.ts';
import type { Layout } from './schema.ts';
import { expectShape, type Segment } from './segments.ts';

/** The most rows of a segment, so that a row number fits 16 bits. */
export const largestSegment = 65_536;
/**
 * How many rows full segments get: so few that none of their columns takes long to be merged, checked or copied by a store, while a query
 * may wait; and that a change of a row writes few others anew. Of fewer each query would have to look at more segments.
 */
export const usualSegment = 16_384;

/** What a table keeps in memory. */
export type TableState = {
  readonly layout: Layout;
  readonly maxRows: number;
  readonly dictionaries: ReadonlyMap<string, Dictionary>;
  /** In the default order of their first rows; their ranges may overlap. */
  segments: readonly SegmentChunk[];
  /** The segments parted into runs that do not overlap (see `runsOf`). */
  runs: readonly (readonly number[])[];
  /** Rows put since the last seal. */
  delta: LooseChunk;
  overlay: LooseChunk;
  /** Keys of base rows that the overlay hides. */
  hiddenKeys: ReadonlySet<string>;
  /** Counts every change that a query can see. */
  revision: number;
  /** Counts the changes of which rows there are and what they say; where they lie is none of that. */
  contents: number;
  seals: number;
  nextPartition: number;
  /** The seal or compaction that has begun and is not finished. */
  rewriting: object | null;
};

/** What a table is opened with: what its seals have written, less what they have dropped. */
export type StoredTable = { readonly segments: readonly Segment[]; readonly dictionaries: Dictionaries };

/** Opens a state on stored segments, in any order. Throws a RangeError when they do not fit the layout. */
export function openState(layout: Layout, stored: StoredTable, maxRows: number): TableState {
  if (!(Number.isInteger(maxRows) && maxRows >= 2 && maxRows <= largestSegment)) {
    throw new RangeError(`A segment has at most 2 to ${largestSegment} rows, not ${maxRows}`);
  }
  for (const name of layout.codes) {
    if (stored.segments.length > 0 && !stored.dictionaries[name]) throw new RangeError(`Column "${name}" came without its dictionary`);
  }
  const dictionaries = new Map(layout.codes.map((name) => [name, new Dictionary(stored.dictionaries[name])]));
  for (const segment of stored.segments) expectShape(layout, segment, largestSegment);
  return {
    layout,
    maxRows,
    dictionaries,
    ...runsOf(stored.segments.map((segment) => new SegmentChunk(segment))),
    delta: new LooseChunk(layout, dictionaries),
    overlay: new LooseChunk(layout, dictionaries),
    hiddenKeys: new Set(),
    revision: 0,
    contents: 0,
    seals: 0,
    nextPartition: nextAfter(stored.segments),
    rewriting: null,
  };
}

/**
 * Adds further stored segments to a state that has put nothing but what was put after them: what was put since stands in for their rows.
 * Throws a RangeError when they do not fit the layout.
 */
export function attachSegments(state: TableState, stored: readonly Segment[]): void {
  for (const segment of stored) expectShape(state.layout, segment, largestSegment);
  const attached = stored.map((segment) => new SegmentChunk(segment));
  const { delta } = state;
  for (let row = 0; row < delta.rows; row++) if (!hasBit(delta.dead, row)) removeFromChunks(attached, delta.hot.key, row * 4);
  Object.assign(state, runsOf([...state.segments, ...attached]));
  state.nextPartition = nextAfter(stored, state.nextPartition);
  hideBase(state);
  state.seals++;
  countChange(state);
}

/** Other rows, or rows that say something else. */
export function countChange(state: TableState): void {
  state.revision++;
  state.contents++;
}

function nextAfter(segments: readonly Segment[], first = 0): number {
  return segments.reduce((next, { partition }) => Math.max(next, partition + 1), first);
}

/** The row of a key (four words of `words` from `at` on) in the base (delta and segments, the overlay aside), or null. */
export function findInBase(
  { delta, segments }: TableState,
  words: Uint32Array,
  at = 0,
): { chunk: LooseChunk | SegmentChunk; row: number } | null {
  const inDelta = delta.findLive(words, at);
  if (inDelta >= 0) return { chunk: delta, row: inDelta };
  for (const chunk of segments) {
    const row = chunk.find(words, at);
    if (row >= 0 && !(chunk.dead && hasBit(chunk.dead, row))) return { chunk, row };
  }
  return null;
}

/** Ends the base row of a key. False when there is none. */
export function removeFromBase(state: TableState, words: Uint32Array): boolean {
  const inDelta = state.delta.findLive(words, 0);
  if (inDelta >= 0) state.delta.end(inDelta);
  return inDelta >= 0 || removeFromSegments(state, words, 0);
}

/** Ends the row of a key in the segments. False when there is none. */
export function removeFromSegments({ segments }: TableState, words: Uint32Array, at: number): boolean {
  return removeFromChunks(segments, words, at);
}

function removeFromChunks(chunks: readonly SegmentChunk[], words: Uint32Array, at: number): boolean {
  for (const chunk of chunks) {
    const row = chunk.find(words, at);
    if (row < 0 || (chunk.dead && hasBit(chunk.dead, row))) continue;
    chunk.dead ??= new Uint32Array(wordsFor(chunk.rows));
    setBit(chunk.dead, row);
    return true;
  }
  return false;
}

/** Hides the base rows that the overlay stands in for, and no others. */
export function hideBase(state: TableState): void {
  for (const chunk of state.segments) chunk.hidden = null;
  state.delta.hidden.fill(0);
  for (const key of state.hiddenKeys) {
    const found = findInBase(state, keyOf(key));
    if (!found) continue;
    const { chunk, row } = found;
    chunk.hidden ??= new Uint32Array(wordsFor(chunk.rows));
    setBit(chunk.hidden, row);
  }
}
