import { type Bits, listRows, setBit } from './bits.ts';
import { Best } from './best.ts';
import type { Chunk } from './chunks.ts';
import { defaultOrderOf } from './default-order.ts';
import { exactBelow, scaleIn, sortFew, sortRefs } from './sort-refs.ts';
import { byDefault, type Sorter } from './sorting.ts';
import { type View, withBits } from './view.ts';

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
  forEachNumbered(
    view,
    sorter,
    depth,
    () => best.limit,
    (listed, base) => best.add(numbers, rows, listed, base),
  );
  const { refs, limit, hasAllTies } = best.end();
  if (hasAllTies) return { better: refs, ties: null, limit };
  const ties = view.bits.map((bits) => new Uint32Array(bits.length));
  forEachNumbered(
    view,
    sorter,
    depth,
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

function forEachNumbered(view: View, sorter: Sorter, depth: number, limitOf: () => number, visit: Visit): void {
  const scale = scaleIn(view, sorter);
  for (const [index, chunk] of view.chunks.entries()) {
    if (view.counts[index] === 0) continue;
    const bits = view.bits[index] as Bits;
    for (let word = 0; word < bits.length; word += 2048) {
      const count = listRows(bits, rows, word, Math.min(bits.length, word + 2048));
      sorter.numbers(chunk satisfies Chunk, { rows, count, numbers, at: 0, limit: limitOf() }, scale, depth);
      visit(count, view.bases[index] as number, index);
    }
  }
}
