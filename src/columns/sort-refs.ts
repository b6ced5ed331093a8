import type { Chunk } from './chunks.ts';
import { sortByNumbers } from './radix.ts';
import type { Numbering } from './sort-numbers.ts';
import type { Sorter } from './sorting.ts';
import type { View } from './view.ts';

/** Sorts references; rows that are equal in everything keep their order. The first sorter is the most significant. */
export function sortRefs(view: View, refs: Uint32Array, sorters: readonly Sorter[]): Uint32Array {
  if (refs.length < 2) return refs;
  return sorters.toReversed().reduce((order, sorter) => sortDeeply(view, order, sorter, 0), refs);
}

/** The scale at which a sorter's numbers agree in all chunks of a view. */
export function scaleIn(view: View, sorter: Sorter): number {
  return sorter.scaleOf ? Math.max(0, ...view.chunks.map(sorter.scaleOf)) : 0;
}

/** The magnitude below which equal numbers mean equal values in all chunks of a view. */
export function exactBelow(view: View, sorter: Sorter): number {
  return Math.min(...view.chunks.map(sorter.exactBelow));
}

/**
 * Sorts a few references by some sorters: by the numbers of the first, and by comparing where those are equal. No two rows are equal in all.
 */
export function sortFew(view: View, refs: Uint32Array, sorters: readonly [Sorter, ...Sorter[]]): Uint32Array {
  if (refs.length < 2) return refs;
  const numbers = numbersOf(view, refs, sorters[0], 0);
  const compares = sorters.map((sorter) => comparing(view, sorter));
  const order = Array.from(refs.keys()).sort((a, b) => {
    const [left, right] = [numbers[a] as number, numbers[b] as number];
    if (left !== right) return left < right ? -1 : 1;
    for (const compare of compares) {
      const difference = compare(refs[a] as number, refs[b] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return Uint32Array.from(order, (at) => refs[at] as number);
}

/** Runs of equal numbers shorter than this are settled by comparing. */
const longRun = 256;

/** Sorts by the numbers of one depth, then every run of equal numbers by those of the next, or in the end by comparing. Stable. */
function sortDeeply(view: View, refs: Uint32Array, sorter: Sorter, depth: number): Uint32Array {
  const numbers = numbersOf(view, refs, sorter, depth);
  const { refs: sorted, isTie } = sortByNumbers(refs, numbers);
  if (isExact(numbers, exactBelow(view, sorter))) return sorted;
  const compare = comparing(view, sorter);
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    let inOrder = true;
    while (to < sorted.length && isTie(to)) {
      inOrder &&= compare(sorted[to - 1] as number, sorted[to] as number) <= 0;
      to++;
    }
    if (!inOrder) {
      const run = sorted.slice(from, to);
      const deeper = to - from >= longRun && depth + 1 < sorter.depths;
      sorted.set(deeper ? sortDeeply(view, run, sorter, depth + 1) : Array.from(run).sort(compare), from);
    }
    from = to;
  }
  return sorted;
}

function isExact(numbers: Float64Array, below: number): boolean {
  if (below === Infinity) return true;
  if (below === 0) return false;
  for (let i = 0; i < numbers.length; i++) {
    const magnitude = Math.abs(numbers[i] as number);
    if (magnitude >= below && magnitude !== Infinity) return false;
  }
  return true;
}

function comparing(view: View, sorter: Sorter): (a: number, b: number) => number {
  return (a, b) => {
    const aChunk = view.slots[a >>> 16] as number;
    const bChunk = view.slots[b >>> 16] as number;
    const [left, right] = [view.chunks[aChunk] as Chunk, view.chunks[bChunk] as Chunk];
    return sorter.compare(left, a - (view.bases[aChunk] as number), right, b - (view.bases[bChunk] as number), sorter);
  };
}

/** The numbers of references in any order: run by run of references into the same chunk. */
function numbersOf(view: View, refs: Uint32Array, sorter: Sorter, depth: number): Float64Array {
  const numbers = new Float64Array(refs.length);
  const scale = scaleIn(view, sorter);
  const rows = new Uint32Array(Math.min(refs.length, 65_536));
  const numbering = { rows, count: 0, numbers, at: 0, limit: Infinity };
  while (numbering.at < refs.length) {
    const slot = (refs[numbering.at] as number) >>> 16;
    const chunk = view.slots[slot] as number;
    const base = view.bases[chunk] as number;
    const most = Math.min(rows.length, refs.length - numbering.at);
    let count = 0;
    for (; count < most && (refs[numbering.at + count] as number) >>> 16 === slot; count++) {
      rows[count] = (refs[numbering.at + count] as number) - base;
    }
    numbering.count = count;
    sorter.numbers(view.chunks[chunk] as Chunk, numbering satisfies Numbering, scale, depth);
    numbering.at += count;
  }
  return numbers;
}
