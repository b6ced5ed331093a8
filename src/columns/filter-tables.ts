import { allSet, type Bits, intersect, popcount } from './bits.ts';
import { type Chunk, SegmentChunk } from './chunks.ts';
import type { Filter } from './filters.ts';
import { keepPosted, listPosted } from './postings.ts';
import type { CodeColumn } from './segments.ts';

/** Under this many set bits a word is walked bit by bit; else all its 32 rows are tested without a branch. */
const sparse = 12;
/** Filters with a longer table are not remembered. */
const longestRemembered = 8192;
/** What two bytes next to one another let through: bit 0 for the lower, bit 1 for the higher. */
type Pairs = Uint8Array;

/** Of so many values at most the rows are looked up. */
const mostPosted = 256;

/** The values a filter lets through. */
interface Wanted {
  /** A 1 for each of them. */
  readonly table: Uint8Array;
  /** What nothing but this filter of a column is called, where that is shorter than to list the table. */
  readonly called?: string;
}

/**
 * Keeps the rows whose value in a column (a code, a small or a byte of flags) is wanted. A segment that is asked for a few values
 * of a column again looks up the rows that have them; one that sees the same filter again keeps the rows that it lets through, so that
 * somebody who changes one of several conditions does not pay for the others.
 */
export function keepByTable(column: string, of: (chunk: Chunk) => CodeColumn, { table, called }: Wanted): Filter {
  const codes = codesIn(table);
  let named = called;
  const name = () => (named ??= `${column} ${isPosted ? codes.join() : String.fromCharCode(...table)}`);
  const share = codes.length / Math.max(1, table.length);
  const isPosted = share <= 1 / 4 && codes.length <= mostPosted;
  const isRemembered = table.length <= longestRemembered;
  // what segments know it by is made once: a text put together anew would have to be hashed for each
  const postingsName = `postings ${column}`;
  let besides: { readonly column: string | null; readonly name: string } = { column: null, name: '' };
  let pairs: Pairs | null = null;
  const run = (values: CodeColumn, rows: number, bits: Bits) => {
    if (values instanceof Uint8Array) keepBytes(bits, rows, values, table, () => (pairs ??= pairsOf(table)));
    else if (values instanceof Uint16Array) keepShorts(bits, rows, values, table);
    else keepWords(bits, rows, values, table);
  };
  return {
    // the one that lets the least through goes first
    cost: 2 + share,
    list: (chunk, stretch) => {
      const postings = isPosted ? chunk.postings(postingsName, of(chunk)) : null;
      return postings && listPosted(column, postings, codes, stretch);
    },
    beside: (chunk, listed) => {
      const values = of(chunk);
      if (!(values instanceof Uint8Array)) return null;
      if (besides.column !== listed.column) besides = { column: listed.column, name: JSON.stringify([column, listed.column]) };
      const beside = chunk.beside(besides.name, listed.postings, values);
      return beside && { values: beside, table };
    },
    keep: (chunk, bits) => {
      if (!(chunk instanceof SegmentChunk)) {
        run(of(chunk), chunk.rows, bits);
        return;
      }
      const postings = isPosted ? chunk.postings(postingsName, of(chunk)) : null;
      if (postings && keepPosted(bits, postings, codes)) return;
      const known = isRemembered ? chunk.kept.get(name()) : undefined;
      if (known) intersect(bits, known);
      else if (!isRemembered || !chunk.isSecondSight(name())) run(of(chunk), chunk.rows, bits);
      else {
        const kept = allSet(chunk.rows);
        run(of(chunk), chunk.rows, kept);
        chunk.kept.set(name(), kept);
        intersect(bits, kept);
      }
    },
  };
}

function codesIn(table: Uint8Array): number[] {
  const codes: number[] = [];
  for (let code = 0; code < table.length; code++) if (table[code] === 1) codes.push(code);
  return codes;
}

function pairsOf(table: Uint8Array): Pairs {
  const pairs = new Uint8Array(65_536);
  const size = Math.min(256, table.length);
  for (let value = 0; value < size; value++) {
    if (table[value] !== 1) continue;
    for (let other = 0; other < size; other++) {
      const [below, above] = [(other << 8) | value, (value << 8) | other];
      pairs[below] = (pairs[below] as number) | 1;
      pairs[above] = (pairs[above] as number) | 2;
    }
  }
  return pairs;
}

function keepBytes(bits: Bits, rows: number, values: Uint8Array, table: Uint8Array, pairsFor: () => Pairs): void {
  let pairs: Pairs | null = null;
  const isEven = (values.byteOffset & 1) === 0;
  const twos = new Uint16Array(values.buffer, isEven ? values.byteOffset : 0, isEven ? values.length >>> 1 : 0);
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    if (word === 0) continue;
    let kept = 0;
    if (!isEven || popcount(word) < sparse || (w << 5) + 32 > rows) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const b = 31 - Math.clz32(rest & -rest);
        kept |= (table[values[(w << 5) + b] as number] as number) << b;
      }
    } else {
      pairs ??= pairsFor();
      for (let b = 0; b < 32; b += 8) {
        const at = ((w << 5) + b) >>> 1;
        const eight =
          (pairs[twos[at] as number] as number) |
          ((pairs[twos[at + 1] as number] as number) << 2) |
          ((pairs[twos[at + 2] as number] as number) << 4) |
          ((pairs[twos[at + 3] as number] as number) << 6);
        kept |= eight << b;
      }
    }
    bits[w] = word & kept;
  }
}

// The two loops are the same on purpose: one loop over both array types would be compiled for neither.
function keepShorts(bits: Bits, rows: number, values: Uint16Array, table: Uint8Array): void {
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    if (word === 0) continue;
    const base = w << 5;
    let kept = 0;
    if (popcount(word) < sparse || base + 32 > rows) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const b = 31 - Math.clz32(rest & -rest);
        kept |= (table[values[base + b] as number] as number) << b;
      }
    } else {
      for (let b = 0; b < 32; b += 4) {
        const at = base + b;
        const four =
          (table[values[at] as number] as number) |
          ((table[values[at + 1] as number] as number) << 1) |
          ((table[values[at + 2] as number] as number) << 2) |
          ((table[values[at + 3] as number] as number) << 3);
        kept |= four << b;
      }
    }
    bits[w] = word & kept;
  }
}

function keepWords(bits: Bits, rows: number, values: Uint32Array, table: Uint8Array): void {
  for (let w = 0; w < bits.length; w++) {
    const word = bits[w] as number;
    if (word === 0) continue;
    const base = w << 5;
    let kept = 0;
    if (popcount(word) < sparse || base + 32 > rows) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const b = 31 - Math.clz32(rest & -rest);
        kept |= (table[values[base + b] as number] as number) << b;
      }
    } else {
      for (let b = 0; b < 32; b += 4) {
        const at = base + b;
        const four =
          (table[values[at] as number] as number) |
          ((table[values[at + 1] as number] as number) << 1) |
          ((table[values[at + 2] as number] as number) << 2) |
          ((table[values[at + 3] as number] as number) << 3);
        kept |= four << b;
      }
    }
    bits[w] = word & kept;
  }
}
