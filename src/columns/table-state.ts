import { hasBit, setBit, wordsFor } from './bits.ts';
import { compareRows, SegmentChunk } from './chunks.ts';
import { type Dictionaries, Dictionary } from './dictionaries.ts';
import { type Key, keyOf } from './keys.ts';
import { LooseChunk } from './loose-chunk.ts';
import type { Layout } from './schema.ts';
import { expectShape, type Segment } from './segments.ts';

/** The most rows of a segment, so that a row number fits 16 bits. */
export const largestSegment = 65_536;

/** What a table keeps in memory. */
export type TableState = {
  readonly layout: Layout;
  readonly maxRows: number;
  readonly dictionaries: ReadonlyMap<string, Dictionary>;
  /** In the default order, newest first. */
  segments: readonly SegmentChunk[];
  /** Rows put since the last seal. */
  delta: LooseChunk;
  overlay: LooseChunk;
  /** Keys of base rows that the overlay hides. */
  hiddenKeys: ReadonlySet<string>;
  /** Counts every change that a query can see. */
  revision: number;
  seals: number;
  nextPartition: number;
};

/** What a table is opened with: what its seals have written, less what they have dropped. */
export type StoredTable = { readonly segments: readonly Segment[]; readonly dictionaries: Dictionaries };

/** Opens a state on stored segments, in any order. Throws a RangeError when they do not fit the layout or one another. */
export function openState(layout: Layout, stored: StoredTable, maxRows: number): TableState {
  if (!(Number.isInteger(maxRows) && maxRows >= 2 && maxRows <= largestSegment)) {
    throw new RangeError(`A segment has at most 2 to ${largestSegment} rows, not ${maxRows}`);
  }
  for (const name of layout.codes) {
    if (stored.segments.length > 0 && !stored.dictionaries[name]) throw new RangeError(`Column "${name}" came without its dictionary`);
  }
  const dictionaries = new Map(layout.codes.map((name) => [name, new Dictionary(stored.dictionaries[name])]));
  for (const segment of stored.segments) expectShape(layout, segment, largestSegment);
  const segments = stored.segments.map((segment) => new SegmentChunk(segment)).toSorted((a, b) => compareRows(a.hot, 0, b.hot, 0));
  for (const [i, chunk] of segments.entries()) {
    const next = segments[i + 1];
    if (next && compareRows(chunk.hot, chunk.rows - 1, next.hot, 0) >= 0) {
      throw new RangeError(`Partitions ${chunk.segment.partition} and ${next.segment.partition} overlap`);
    }
  }
  return {
    layout,
    maxRows,
    dictionaries,
    segments,
    delta: new LooseChunk(layout, dictionaries),
    overlay: new LooseChunk(layout, dictionaries),
    hiddenKeys: new Set(),
    revision: 0,
    seals: 0,
    nextPartition: stored.segments.reduce((next, { partition }) => Math.max(next, partition + 1), 0),
  };
}

/** The row of a key in the base (delta and segments, the overlay aside), or null. */
export function findInBase({ delta, segments }: TableState, key: Key): { chunk: LooseChunk | SegmentChunk; row: number } | null {
  const inDelta = delta.find(key);
  if (inDelta >= 0) return { chunk: delta, row: inDelta };
  for (const chunk of segments) {
    const row = chunk.find(key);
    if (row >= 0 && !(chunk.dead && hasBit(chunk.dead, row))) return { chunk, row };
  }
  return null;
}

/** Ends the base row of a key. False when there is none. */
export function removeFromBase(state: TableState, key: Key): boolean {
  const found = findInBase(state, key);
  if (!found) return false;
  if (found.chunk instanceof LooseChunk) return found.chunk.remove(key);
  found.chunk.dead ??= new Uint32Array(wordsFor(found.chunk.rows));
  setBit(found.chunk.dead, found.row);
  return true;
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
