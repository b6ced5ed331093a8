import { type Bits, countBits } from './bits.ts';
import { type Chunk, liveBits } from './chunks.ts';
import type { Filter } from './filters.ts';

/** Rows of one slot of the numbering of matched rows (see `View`). */
const slotRows = 65_536;

/**
 * The rows that a query matched: a bitmap for each chunk. The sorted chunks come first, in order; the loose ones (delta, overlay) last.
 * A matched row is named by a reference, `bases[chunk] + row`; bases are multiples of 65,536, so `slots[ref >>> 16]` is its chunk.
 */
export type View = {
  readonly chunks: readonly Chunk[];
  readonly bits: readonly Bits[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly bases: readonly number[];
  readonly slots: readonly number[];
};

/** Runs the filters over every chunk. */
export function viewOf(chunks: readonly Chunk[], filters: readonly Filter[]): View {
  const bits: Bits[] = [];
  const bases: number[] = [];
  const slots: number[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const matched = liveBits(chunk);
    for (const filter of filters) filter.keep(chunk, matched);
    bits.push(matched);
    bases.push(slots.length * slotRows);
    for (let row = 0; row < chunk.rows; row += slotRows) slots.push(index);
  }
  const counts = bits.map((each) => countBits(each));
  return { chunks, bits, counts, count: counts.reduce((sum, count) => sum + count, 0), bases, slots };
}

/** For each slot, what `of` says about its chunk, and the number to take from a reference to get the row. */
export function bySlot<T>(view: View, of: (chunk: Chunk) => T): { readonly columns: readonly T[]; readonly bases: Uint32Array } {
  const perChunk = view.chunks.map(of);
  return {
    columns: view.slots.map((chunk) => perChunk[chunk] as T),
    bases: Uint32Array.from(view.slots, (chunk) => view.bases[chunk] as number),
  };
}

/** The chunk index and the row that a reference names. */
export function locate(view: View, ref: number): { readonly chunk: number; readonly row: number } {
  const chunk = view.slots[ref >>> 16] as number;
  return { chunk, row: ref - (view.bases[chunk] as number) };
}
