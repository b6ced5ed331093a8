import { type Bits, hasBit, listRows, setBit, wordsFor } from './bits.ts';
import { Best } from './best.ts';
import { SegmentChunk } from './chunks.ts';
import { defaultOrderOf } from './default-order.ts';
import { type NumberOrder, numberOrderOf, rowInOrder } from './number-orders.ts';
import type { Numbering } from './sort-numbers.ts';
import { exactBelow, scaleIn, sortFew, sortRefs } from './sort-refs.ts';
import { byDefault, type Sorter } from './sorting.ts';
import { bitsIn, countIn, type View, withBits } from './view.ts';

/** As many rows are always looked for at least, so that the next windows cost nothing. */
const fewest = 128;
/** So many rows, or a sixteenth of all, may be looked for without sorting all. */
const mostRefs = 1024;

/** The first `wanted` or more references of a sorted view, exactly as the whole sort gives them, or null when sorting all is as good. */
export function firstRefs(view: View, sorters: readonly Sorter[], wanted: number): Uint32Array | null {
  const count = Math.max(wanted, Math.min(fewest, view.count >>> 3));
  if (count * 4 > view.count || count > Math.max(mostRefs, view.count >>> 4)) return null;
  return firstOf(view, sorters, count, 0);
}

/** Of a view the first `count` references by `sorters`, of the first of which only what begins at `depth` still counts. */
function firstOf(view: View, sorters: readonly Sorter[], count: number, depth: number): Uint32Array {
  const [sorter, ...others] = sorters;
  if (!sorter) return defaultOrderOf(view).walk(0, count);
  const { better, ties, limit } = pick(view, sorter, count, depth);
  if (ties === null) return sorted(view, better, sorters).subarray(0, count);
  const first = sorted(view, better, sorters);
  const tied = withBits(view, ties);
  const rest = count - first.length;
  const result = new Uint32Array(count);
  result.set(first);
  if (limit === Infinity || Math.abs(limit) < exactBelow(view, sorter)) result.set(firstOf(tied, others, rest, 0), first.length);
  else if (depth + 1 < sorter.depths) result.set(firstOf(tied, sorters, rest, depth + 1), first.length);
  else result.set(sorted(tied, defaultOrderOf(tied).walk(0, tied.count), sorters).subarray(0, rest), first.length);
  return result;
}

/** More references than this are sorted by radix. */
const few = 1024;

/** References, sorted by `sorters` and then by the default order. */
function sorted(view: View, refs: Uint32Array, sorters: readonly Sorter[]): Uint32Array {
  const [first, ...others] = [...sorters, ...byDefault];
  if (!first) return refs;
  return refs.length <= few ? sortFew(view, refs, [first, ...others]) : sortRefs(view, refs, [first, ...others]);
}

type Picked = {
  /** References among which the first are, all of them but for ties. */
  readonly better: Uint32Array;
  /** The rows that have the number `limit`, where they are too many: of them some come after `better`. */
  readonly ties: readonly Bits[] | null;
  readonly limit: number;
};

/** Picks the rows with the `count` smallest numbers. */
function pick(view: View, sorter: Sorter, count: number, depth: number): Picked {
  const best = new Best(count);
  const wanted = { view, sorter, depth, count };
  forEachNumbered(
    wanted,
    () => best.limit,
    (listed, base) => best.add(numbers, rows, listed, base),
  );
  const { refs, limit, hasAllTies } = best.end();
  if (hasAllTies) return { better: refs, ties: null, limit };
  const ties = view.chunks.map(({ rows }) => new Uint32Array(wordsFor(rows)));
  forEachNumbered(
    wanted,
    () => limit,
    (listed, _, chunk) => {
      for (let i = 0; i < listed; i++) if (numbers[i] === limit) setBit(ties[chunk] as Bits, rows[i] as number);
    },
  );
  return { better: refs, ties, limit };
}

// Scratch of one piece of a chunk.
const rows = new Uint32Array(65_536);
const numbers = new Float64Array(65_536);

/** Told of each piece of a chunk that so many rows are listed and numbered. */
type Visit = (listed: number, base: number, chunk: number) => void;

type Wanted = { readonly view: View; readonly sorter: Sorter; readonly depth: number; readonly count: number };

/** Visits at least the matched rows that are among the first `count`, with all that tie with the last of them. */
function forEachNumbered({ view, sorter, depth, count }: Wanted, limitOf: () => number, visit: Visit): void {
  const scale = scaleIn(view, sorter);
  // to sort a segment takes some milliseconds: one in each query
  let mayMake = true;
  for (const [index, chunk] of view.chunks.entries()) {
    const matches = countIn(view, index);
    if (matches === 0) continue;
    const number = (listed: number, limit: number) =>
      sorter.numbers(chunk, { rows, count: listed, numbers, at: 0, limit } satisfies Numbering, scale, depth);
    const bits = bitsIn(view, index);
    const base = view.bases[index] as number;
    if (sorter.ordered && chunk instanceof SegmentChunk && isWalked(chunk, matches, count)) {
      const { column, descending, ascending } = sorter.ordered;
      const make = () => {
        mayMake = false;
        return numberOrderOf(chunk, ascending());
      };
      const order = chunk.order(column, mayMake ? make : null);
      if (order) {
        walk({ order, descending, bits, count }, limitOf, (listed) => {
          number(listed, Infinity);
          visit(listed, base, index);
        });
        continue;
      }
    }
    for (let word = 0; word < bits.length; word += 2048) {
      const listed = listRows(bits, rows, word, Math.min(bits.length, word + 2048));
      number(listed, limitOf());
      visit(listed, base, index);
    }
  }
}

/** To number a matched row costs about as much as to pass by so many rows of an order. */
const costOfNumber = 8;
/** Rows of an order that are numbered at once. */
const walkedAtOnce = 64;

/** Whether the first `count` of so many matches are found sooner along an order of all the segment's rows. */
function isWalked(chunk: SegmentChunk, matches: number, count: number): boolean {
  return count * chunk.rows < matches * matches * costOfNumber;
}

type Walk = { readonly order: NumberOrder; readonly descending: boolean; readonly bits: Bits; readonly count: number };

/** Goes along an order until `count` matched rows, and all that tie with the last of them, are visited. */
function walk({ order, descending, bits, count }: Walk, limitOf: () => number, visit: (listed: number) => void): void {
  const end = order.rows.length;
  let found = 0;
  let last = Infinity;
  for (let position = 0; position < end; ) {
    let listed = 0;
    for (; position < end && listed < walkedAtOnce; position++) {
      const row = rowInOrder(order, position, descending);
      if (hasBit(bits, row)) rows[listed++] = row;
    }
    if (listed === 0) return;
    visit(listed);
    const number = numbers[listed - 1] as number;
    if (number > limitOf() || number > last) return;
    found += listed;
    if (found >= count) last = Math.min(last, number);
  }
}
