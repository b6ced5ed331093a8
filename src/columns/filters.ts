import { type Bits, clip, hasBit, isEmpty, setBit, subtract, unite } from './bits.ts';
import { type Chunk, firstRow, type SegmentChunk } from './chunks.ts';
import type { Listed, Stretch } from './postings.ts';
import { type Span, timeOf } from './times.ts';

/** The values of a column in the order of postings, and a 1 in the table for each that is wanted. */
export type Beside = { readonly values: Uint8Array; readonly table: Uint8Array };

/** One compiled condition; cheaper ones run first. */
export type Filter = {
  readonly cost: number;
  /** Clears the bits of the chunk's rows that do not meet it. */
  readonly keep: (chunk: Chunk, bits: Bits) => void;
  /** Whether all it asks for is the span of times that the query leaves open. */
  readonly isSpan?: boolean;
  /** Lists the rows of a stretch of a segment that meet it, or gives null when there are too many for that, or to test each is cheaper. */
  readonly list?: (chunk: SegmentChunk, stretch: Stretch) => Listed | null;
  /** The same as a table of bytes beside listed postings; null where there is none, or not yet. */
  readonly beside?: (chunk: SegmentChunk, listed: Listed) => Beside | null;
};

/** Turns a filter round when `negated`. */
export function not(filter: Filter, negated = false): Filter {
  if (!negated) return filter;
  return {
    cost: filter.cost + 1,
    keep: (chunk, bits) => {
      const held = bits.slice();
      filter.keep(chunk, held);
      subtract(bits, held);
    },
  };
}

/** Keeps the rows that at least one of the filters keeps. Each is only asked about the rows that none before it kept. */
export function anyOf(filters: readonly Filter[]): Filter {
  const cheapestFirst = filters.toSorted((a, b) => a.cost - b.cost);
  return {
    cost: Math.max(0, ...filters.map(({ cost }) => cost)) + 1,
    keep: (chunk, bits) => {
      const held = new Uint32Array(bits.length);
      const open = bits.slice();
      for (const filter of cheapestFirst) {
        if (isEmpty(open)) break;
        const kept = open.slice();
        filter.keep(chunk, kept);
        unite(held, kept);
        subtract(open, kept);
      }
      bits.set(held);
    },
  };
}

/** Which rows of a sorted chunk have a time from `from` to `to`, both included. */
export function stretchIn({ rows, hot: { time } }: Chunk, { from, to }: Span): Stretch {
  const first = firstRow(rows, (row) => timeOf(time, row) <= to);
  return {
    first,
    end: Math.max(
      first,
      firstRow(rows, (row) => timeOf(time, row) < from),
    ),
  };
}

/** Keeps the rows with a time from `from` to `to`, both included; a binary search where the rows are sorted. */
export function keepInTime({ from, to }: Span): Filter {
  return {
    cost: 0,
    isSpan: true,
    keep: (chunk, bits) => {
      if (chunk.sorted) {
        const { first, end } = stretchIn(chunk, { from, to });
        clip(bits, first, end);
        return;
      }
      const { time } = chunk.hot;
      keepWhere(bits, (row) => {
        const at = timeOf(time, row);
        return at >= from && at <= to;
      });
    },
  };
}

/** Clears the bits of the rows for which `holds` is false. */
export function keepWhere(bits: Bits, holds: (row: number) => boolean): void {
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w] as number;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if (!holds((w << 5) + 31 - Math.clz32(bit))) word &= ~bit;
    }
    bits[w] = word;
  }
}

/** Keeps the rows with one of the keys (four words each). */
export function keepKeys(keys: readonly Uint32Array[]): Filter {
  return {
    cost: 1,
    keep: (chunk, bits) => {
      const held = new Uint32Array(bits.length);
      for (const key of keys) {
        const row = chunk.find(key, 0);
        if (row >= 0 && hasBit(bits, row)) setBit(held, row);
      }
      bits.set(held);
    },
  };
}
