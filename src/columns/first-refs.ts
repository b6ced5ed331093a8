import { type Bits, hasBit, listRows, setBit, wordsFor } from './bits.ts';
import { Best } from './best.ts';
import { SegmentChunk } from './chunks.ts';
import { defaultOrderOf } from './default-order.ts';
import type { Kept } from './listed.ts';
import { type NumberOrder, numberOrderOf, orderOfCode, partOrder, rowInOrder } from './number-orders.ts';
import type { Numbering } from './sort-numbers.ts';
import { exactBelow, scaleIn, sortFew, sortRefs } from './sort-refs.ts';
import { byDefault, type Ordered, type Sorter } from './sorting.ts';
import { countIn, type View, withBits } from './view.ts';

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
  const orders = sorter.ordered && new Orders(sorter.ordered, count);
  for (const [index, chunk] of view.chunks.entries()) {
    const matches = countIn(view, index);
    if (matches === 0) continue;
    const number = (listed: number, limit: number) =>
      sorter.numbers(chunk, { rows, count: listed, numbers, at: 0, limit } satisfies Numbering, scale, depth);
    const kept = view.kept[index] as Kept;
    const base = view.bases[index] as number;
    const walks = orders && chunk instanceof SegmentChunk ? orders.walksOf(chunk, kept) : null;
    for (const each of walks ?? []) {
      walk(each, limitOf, (listed) => {
        number(listed, Infinity);
        visit(listed, base, index);
      });
    }
    if (walks) continue;
    if (kept.rows) {
      rows.set(kept.rows);
      number(matches, limitOf());
      visit(matches, base, index);
      continue;
    }
    const { bits } = kept;
    for (let word = 0; word < bits.length; word += 2048) {
      const listed = listRows(bits, rows, word, Math.min(bits.length, word + 2048));
      number(listed, limitOf());
      visit(listed, base, index);
    }
  }
}

/** To number a matched row costs about as much as to pass by so many rows of an order. */
const costOfNumber = 8;
/** Rows of an order that are numbered at once; so many at least of each code. */
const walkedAtOnce = 16;
/** An order is parted by codes only for questions that match at least this share of a segment: to number fewer rows costs next to nothing. */
const partedFrom = 1 / 64;

/** A way along an order on which `count` matched rows are looked for; without a bitmap all its rows match. */
type Walk = { readonly order: NumberOrder; readonly descending: boolean; readonly bits: Bits | null; readonly count: number };

/** The ways along orders of segments by which one query's first rows are found. */
class Orders {
  private readonly of: Ordered;
  private readonly count: number;
  private readonly name: string;
  /** What orders parted by the codes of a column are known by. */
  private parted: { readonly column: string | null; readonly name: string } = { column: null, name: '' };
  // to sort a segment takes some milliseconds: one at a time
  private mayMake = true;

  constructor(of: Ordered, count: number) {
    this.of = of;
    this.count = count;
    this.name = `order ${of.column}`;
  }

  /** The ways on which the first of a segment's matches are found sooner than by numbering all, or null. */
  walksOf(chunk: SegmentChunk, kept: Kept): readonly Walk[] | null {
    const { count, name } = this;
    const { descending, ascending } = this.of;
    const { listed = null, count: matches } = kept;
    const codes = listed?.codes ?? [];
    const isParted = codes.length > 0 && matches > Math.max(codes.length * walkedAtOnce, chunk.rows * partedFrom);
    const isWalked = count * chunk.rows < matches * matches * costOfNumber;
    if (!isParted && !isWalked) return null;
    const make = () => {
      this.mayMake = false;
      return numberOrderOf(chunk, ascending());
    };
    const order = chunk.order(name, this.mayMake ? make : null);
    if (!order) return null;
    const parted = listed && isParted ? chunk.partedOrder(this.partedBy(listed.column), () => partOrder(order, listed.postings)) : null;
    if (parted) return codes.map((code) => ({ order: orderOfCode(parted, code), descending, bits: null, count }));
    return isWalked ? [{ order, descending, bits: kept.bits, count }] : null;
  }

  private partedBy(column: string): string {
    if (this.parted.column !== column) this.parted = { column, name: JSON.stringify([this.of.column, column]) };
    return this.parted.name;
  }
}

/** Goes along an order until `count` matched rows, and all that tie with the last of them, are visited. */
function walk({ order, descending, bits, count }: Walk, limitOf: () => number, visit: (listed: number) => void): void {
  const end = order.rows.length;
  let found = 0;
  let last = Infinity;
  for (let position = 0; position < end; ) {
    let listed = 0;
    for (; position < end && listed < walkedAtOnce; position++) {
      const row = rowInOrder(order, position, descending);
      if (bits === null || hasBit(bits, row)) rows[listed++] = row;
    }
    if (listed === 0) return;
    visit(listed);
    const number = numbers[listed - 1] as number;
    if (number > limitOf() || number > last) return;
    found += listed;
    if (found >= count) last = Math.min(last, number);
  }
}
