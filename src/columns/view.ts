import { type Bits, countBits, isEmpty } from './bits.ts';
import { type Chunk, liveBits } from './chunks.ts';
import type { Filter } from './filters.ts';

/** Rows of one slot of the numbering of matched rows (see `View`). */
const slotRows = 65_536;

/** The chunks that a query sees: the sorted ones come first, the loose ones (delta, overlay) last. */
export type Source = {
  readonly chunks: readonly Chunk[];
  /** The sorted chunks by their places in `chunks`, parted into runs within which every chunk comes wholly before the next. */
  readonly runs: readonly (readonly number[])[];
};

/**
 * The rows that a query matched: a bitmap for each chunk. A matched row is named by a reference, `bases[chunk] + row`; bases are multiples
 * of 65,536, so `slots[ref >>> 16]` is its chunk.
 */
export type View = Source & {
  readonly bits: readonly Bits[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly bases: readonly number[];
  readonly slots: readonly number[];
};

/** Runs the filters over every chunk. */
export function viewOf({ chunks, runs }: Source, filters: readonly Filter[]): View {
  const bits = chunks.map((chunk) => {
    const matched = liveBits(chunk);
    for (const filter of filters) {
      if (isEmpty(matched)) break;
      filter.keep(chunk, matched);
    }
    return matched;
  });
  const bases: number[] = [];
  const slots: number[] = [];
  for (const [index, chunk] of chunks.entries()) {
    bases.push(slots.length * slotRows);
    for (let row = 0; row < chunk.rows; row += slotRows) slots.push(index);
  }
  return withBits({ chunks, runs, bases, slots }, bits);
}

/** The same chunks with other rows matched. */
export function withBits({ chunks, runs, bases, slots }: Omit<View, 'bits' | 'counts' | 'count'>, bits: readonly Bits[]): View {
  const counts = bits.map((each) => countBits(each));
  return { chunks, runs, bits, counts, count: counts.reduce((sum, count) => sum + count, 0), bases, slots };
}

/** The chunk index and the row that a reference names. */
export function locate(view: View, ref: number): { readonly chunk: number; readonly row: number } {
  const chunk = view.slots[ref >>> 16] as number;
  return { chunk, row: ref - (view.bases[chunk] as number) };
}
