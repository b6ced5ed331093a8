import { type Bits, clip, hasBit, isEmpty, setBit, subtract, unite } from './bits.ts';
import { firstRow, type Chunk } from './chunks.ts';
import type { Key } from './keys.ts';

/** One compiled condition. `keep` clears the bits of the chunk's rows that do not meet it; cheaper filters run first. */
export type Filter = { readonly cost: number; readonly keep: (chunk: Chunk, bits: Bits) => void };

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

/** Keeps the rows that at least one of the filters keeps. */
export function anyOf(filters: readonly Filter[]): Filter {
  return {
    cost: Math.max(0, ...filters.map(({ cost }) => cost)) + 1,
    keep: (chunk, bits) => {
      if (isEmpty(bits)) return;
      const held = new Uint32Array(bits.length);
      for (const filter of filters) {
        const copy = bits.slice();
        filter.keep(chunk, copy);
        unite(held, copy);
      }
      bits.set(held);
    },
  };
}

/** Keeps the rows with a time from `from` to `to`, both included; a binary search where the rows are sorted. */
export function keepInTime({ from, to }: { readonly from: number; readonly to: number }): Filter {
  return {
    cost: 0,
    keep: ({ rows, hot: { time }, sorted }, bits) => {
      if (sorted) {
        const first = firstRow(rows, (row) => (time[row] as number) <= to);
        clip(
          bits,
          first,
          firstRow(rows, (row) => (time[row] as number) < from),
        );
        return;
      }
      for (let w = 0; w < bits.length; w++) {
        let word = bits[w] as number;
        for (let rest = word; rest !== 0; rest &= rest - 1) {
          const bit = rest & -rest;
          const at = time[(w << 5) + 31 - Math.clz32(bit)] as number;
          if (at < from || at > to) word &= ~bit;
        }
        bits[w] = word;
      }
    },
  };
}

/** Keeps the rows with one of the keys. */
export function keepKeys(keys: readonly Key[]): Filter {
  return {
    cost: 1,
    keep: (chunk, bits) => {
      if (isEmpty(bits)) return;
      const held = new Uint32Array(bits.length);
      for (const key of keys) {
        const row = chunk.find(key);
        if (row >= 0 && hasBit(bits, row)) setBit(held, row);
      }
      bits.set(held);
    },
  };
}
