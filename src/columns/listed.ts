import { type Bits, countBits, hasBit, isEmpty, setBit } from './bits.ts';
import { type Chunk, SegmentChunk } from './chunks.ts';
import { type Filter, stretchIn } from './filters.ts';
import type { Listed } from './postings.ts';
import type { Span } from './times.ts';

/** What is kept of a chunk's rows; those outside the span of times that the filters leave open need no look. */
export type Keeping = { readonly filters: readonly Filter[]; readonly span: Span };

/** Which rows of a chunk some filters kept, and how many. */
export type Kept = { readonly bits: Bits; readonly count: number };

/**
 * Of the rows in `seen` those that every filter keeps. Where one filter of a segment can list a few rows the others are asked about these
 * alone: what that costs goes by the rows listed, not by the rows there are.
 */
export function keepAll(chunk: Chunk, seen: Bits, { filters, span }: Keeping): Kept {
  if (chunk instanceof SegmentChunk) {
    const stretch = stretchIn(chunk, span);
    for (const lister of filters) {
      const listed = lister.list?.(chunk, stretch);
      if (listed)
        return keepOfListed(chunk, seen, { listed, filters: filters.filter((other) => other !== lister && other.isSpan !== true) });
    }
  }
  const bits = seen.slice();
  keepEach(chunk, bits, filters);
  return { bits, count: countBits(bits) };
}

/** Clears the bits of the rows that some filter does not keep. */
export function keepEach(chunk: Chunk, bits: Bits, filters: readonly Filter[]): void {
  for (const filter of filters) {
    if (isEmpty(bits)) break;
    filter.keep(chunk, bits);
  }
}

/** What the filters keep of the rows that one of them listed. */
function keepOfListed(chunk: SegmentChunk, seen: Bits, { listed, filters }: { listed: Listed; filters: readonly Filter[] }): Kept {
  const { postings, at } = listed;
  if (seen !== chunk.all) listed.count = keepSeen(seen, listed);
  for (const { keepListed } of filters) if (keepListed) listed.count = keepListed(chunk, listed);
  const { count } = listed;
  const bits = new Uint32Array(seen.length);
  for (let i = 0; i < count; i++) setBit(bits, postings.rows[at[i] as number] as number);
  const others = filters.filter(({ keepListed }) => !keepListed);
  if (others.length === 0) return { bits, count };
  keepEach(chunk, bits, others);
  return { bits, count: countBits(bits) };
}

function keepSeen(seen: Bits, { postings: { rows }, at, count }: Listed): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const place = at[i] as number;
    at[kept] = place;
    kept += Number(hasBit(seen, rows[place] as number));
  }
  return kept;
}
