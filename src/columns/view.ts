import { type Bits, countBits, unite, wordsFor } from './bits.ts';
import { type Chunk, liveBits, SegmentChunk } from './chunks.ts';
import type { Filter } from './filters.ts';
import { keepAll, keepEach, type Keeping, type Kept } from './listed.ts';
import type { Span } from './times.ts';

/** Rows of one slot of the numbering of matched rows (see `View`). */
const slotRows = 65_536;

/** The chunks that a query sees: the sorted ones come first, the loose ones (delta, overlay) last. */
export type Source = {
  readonly chunks: readonly Chunk[];
  /** The sorted chunks by their places in `chunks`, parted into runs within which every chunk comes wholly before the next. */
  readonly runs: readonly (readonly number[])[];
};

/**
 * The rows that a query matched, by chunk. A matched row is named by a reference, `bases[chunk] + row`; bases are multiples
 * of 65,536, so `slots[ref >>> 16]` is its chunk.
 */
export type View = Source & {
  readonly kept: readonly Kept[];
  /** The rows of each chunk that there were to match, when it was looked at. */
  readonly live: readonly Bits[];
  readonly count: number;
  readonly bases: readonly number[];
  readonly slots: readonly number[];
};

/** Runs the filters over every chunk that may have rows for them. */
export function viewOf({ chunks, runs }: Source, { filters, span }: Keeping): View {
  const live = chunks.map((chunk) => seenBits(chunk, span));
  const kept = chunks.map((chunk, index): Kept => {
    const seen = live[index] as Bits;
    if (isOutside(chunk, span)) return { bits: seen, count: 0 };
    return filters.length === 0 ? { bits: seen, count: countBits(seen) } : keepAll(chunk, seen, { filters, span });
  });
  const bases: number[] = [];
  const slots: number[] = [];
  for (const [index, chunk] of chunks.entries()) {
    bases.push(slots.length * slotRows);
    for (let row = 0; row < chunk.rows; row += slotRows) slots.push(index);
  }
  return withCount({ chunks, runs, live, bases, slots, kept });
}

/** What `viewOf` gives now for the same filters, from what they gave before: sealed rows that neither came nor went are not looked at again. */
export function viewAgain(before: View, { chunks, runs }: Source, keeping: Keeping): View {
  const { filters, span } = keeping;
  const sealed = chunks.filter((chunk) => chunk.sorted);
  const loose = viewOf({ chunks: chunks.slice(sealed.length), runs: [] }, keeping);
  const live = sealed.map((chunk) => seenBits(chunk, span));
  const kept = sealed.map((chunk, index): Kept => {
    const [was, matched, now] = [before.live[index] as Bits, before.kept[index] as Kept, live[index] as Bits];
    if (now === was || now === matched.bits) return matched;
    const bits = matchedOf(chunk, { was, matched: matched.bits, now }, filters);
    return { bits, count: countBits(bits) };
  });
  const first = sealed.length === 0 ? 0 : (before.bases[sealed.length - 1] as number) + slotRows;
  const bases = [...before.bases.slice(0, sealed.length), ...loose.bases.map((base) => first + base)];
  const slots = [...before.slots.slice(0, first / slotRows), ...loose.slots.map((index) => sealed.length + index)];
  return withCount({ chunks, runs, live: [...live, ...loose.live], bases, slots, kept: [...kept, ...loose.kept] });
}

/** Which rows of a chunk match by now: of those that matched what is still there, and what of the rows that came the filters keep. */
function matchedOf(chunk: Chunk, { was, matched, now }: Record<'was' | 'matched' | 'now', Bits>, filters: readonly Filter[]): Bits {
  const kept = new Uint32Array(matched.length);
  const came = new Uint32Array(matched.length);
  let others = 0;
  for (let w = 0; w < kept.length; w++) {
    const word = now[w] as number;
    const other = word & ~(was[w] as number);
    kept[w] = (matched[w] as number) & word;
    came[w] = other;
    others |= other;
  }
  if (others !== 0) {
    keepEach(chunk, came, filters);
    unite(kept, came);
  }
  return kept;
}

/** The rows of a chunk that there are to match; none of one outside the span. */
function seenBits(chunk: Chunk, span: Span): Bits {
  return isOutside(chunk, span) ? noBits(chunk) : liveBits(chunk);
}

function isOutside(chunk: Chunk, { from, to }: Span): boolean {
  return chunk instanceof SegmentChunk && (chunk.segment.newest < from || chunk.segment.oldest > to);
}

let nothing: Bits = new Uint32Array();

/** The bits of a chunk of which no row is meant. They are shared: nobody writes into a view's bits. */
function noBits({ rows }: Chunk): Bits {
  if (nothing.length < wordsFor(rows)) nothing = new Uint32Array(wordsFor(rows));
  return nothing.length === wordsFor(rows) ? nothing : nothing.subarray(0, wordsFor(rows));
}

/** The same chunks with other rows matched. */
export function withBits(view: Omit<View, 'kept' | 'count'>, bits: readonly Bits[]): View {
  const kept = bits.map((each): Kept => ({ bits: each, count: each.buffer === nothing.buffer ? 0 : countBits(each) }));
  return withCount({ ...view, kept });
}

function withCount({ chunks, runs, live, kept, bases, slots }: Omit<View, 'count'>): View {
  return { chunks, runs, live, kept, count: kept.reduce((sum, { count }) => sum + count, 0), bases, slots };
}

/** The matched rows of a chunk; nobody writes into them. */
export function bitsIn(view: View, chunk: number): Bits {
  return (view.kept[chunk] as Kept).bits;
}

/** How many rows of a chunk matched. */
export function countIn(view: View, chunk: number): number {
  return (view.kept[chunk] as Kept).count;
}

/** The chunk index and the row that a reference names. */
export function locate(view: View, ref: number): { readonly chunk: number; readonly row: number } {
  const chunk = view.slots[ref >>> 16] as number;
  return { chunk, row: ref - (view.bases[chunk] as number) };
}
