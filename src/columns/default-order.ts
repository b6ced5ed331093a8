import { type Bits, countBelow, countBits, hasBit, listRows, popcount } from './bits.ts';
import { compareRows, firstRow, rowAfter, type Chunk } from './chunks.ts';
import { FirstOf } from './first-of.ts';
import { sortFew, sortRefs } from './sort-refs.ts';
import { byDefault } from './sorting.ts';
import { bitsIn, countIn, locate, type View } from './view.ts';

/** So many loose rows are sorted sooner by comparing, above all the first time that a worker sorts. */
const fewLoose = 2_048;

/** The default order (time descending, key descending) of the matched rows of a view. */
export interface DefaultOrder {
  /** The references at `offset` to `offset + limit`. */
  walk(offset: number, limit: number): Uint32Array;
  /** The position of a reference, or -1 when it is not matched. */
  positionOf(ref: number): number;
}

/** Sorts the matched loose rows in between the sorted ones, whose bits are walked. */
export function defaultOrderOf(view: View): DefaultOrder {
  const runs = view.runs.map((run) => run.filter((chunk) => countIn(view, chunk) !== 0)).filter((run) => run.length > 0);
  const refs: number[] = [];
  for (const [index, chunk] of view.chunks.entries()) {
    if (chunk.sorted) continue;
    const rows = new Uint32Array(countIn(view, index));
    listRows(bitsIn(view, index), rows);
    for (const row of rows) refs.push((view.bases[index] as number) + row);
  }
  const loose = (refs.length <= fewLoose ? sortFew : sortRefs)(view, Uint32Array.from(refs), byDefault);
  return runs.length <= 1 ? new SingleRun(view, runs[0] ?? [], loose) : new MergedRuns(view, runs, loose);
}

/** Sorted chunks one after another cost nothing; each loose row knows the position it takes among all. */
class SingleRun implements DefaultOrder {
  private readonly view: View;
  private readonly run: readonly number[];
  private readonly loose: Uint32Array;
  private readonly positions: Uint32Array;

  constructor(view: View, run: readonly number[], loose: Uint32Array) {
    this.view = view;
    this.run = run;
    this.loose = loose;
    this.positions = positionsOf(view, run, loose);
  }

  walk(offset: number, limit: number): Uint32Array {
    const { view, run, loose, positions } = this;
    const start = Math.min(offset, view.count);
    const refs = new Uint32Array(Math.min(limit, view.count - start));
    let next = firstRow(positions.length, (at) => (positions[at] as number) >= start);
    const base = new RunWalker(view, run, start - next);
    for (let at = 0; at < refs.length; ) {
      const nextLoose = next < positions.length ? (positions[next] as number) - start : refs.length;
      if (nextLoose === at) refs[at++] = loose[next++] as number;
      else at = base.take(refs, at, Math.min(nextLoose, refs.length));
    }
    return refs;
  }

  positionOf(ref: number): number {
    const { view, run, loose, positions } = this;
    const { chunk, row } = locate(view, ref);
    const bits = bitsIn(view, chunk);
    if (!hasBit(bits, row)) return -1;
    if (!view.chunks[chunk]?.sorted) return positions[loose.indexOf(ref)] as number;
    let rank = countBelow(bits, row);
    for (const before of run.slice(0, run.indexOf(chunk))) rank += countIn(view, before);
    return rank + firstRow(positions.length, (at) => (positions[at] as number) - at > rank);
  }
}

/** Runs that overlap are merged as far as somebody has looked; what was merged is kept. */
class MergedRuns implements DefaultOrder {
  private readonly view: View;
  private readonly merged: Uint32Array;
  private done = 0;
  private readonly heads: FirstOf<Head>;

  constructor(view: View, runs: readonly (readonly number[])[], loose: Uint32Array) {
    this.view = view;
    this.merged = new Uint32Array(view.count);
    const heads = runs.map((run): Head => {
      const walker = new RunWalker(view, run, 0);
      return new Head(view, () => (walker.isAtEnd ? -1 : walker.next()));
    });
    let next = 0;
    if (loose.length > 0) heads.push(new Head(view, () => (next < loose.length ? (loose[next++] as number) : -1)));
    this.heads = new FirstOf(heads, (a, b) => compareRows(a.chunk.hot, a.row, b.chunk.hot, b.row) < 0);
  }

  walk(offset: number, limit: number): Uint32Array {
    const end = Math.min(offset + limit, this.view.count);
    this.mergeTo(end);
    return this.merged.slice(offset, end);
  }

  positionOf(ref: number): number {
    const { chunk, row } = locate(this.view, ref);
    if (!hasBit(bitsIn(this.view, chunk), row)) return -1;
    this.mergeTo(this.view.count);
    return this.merged.indexOf(ref);
  }

  private mergeTo(end: number): void {
    const { merged, heads } = this;
    while (this.done < end) {
      const head = heads.first as Head;
      merged[this.done++] = head.ref;
      heads.goneOn(!head.advance());
    }
  }
}

/** The next row of a sequence of references. */
class Head {
  ref = -1;
  row = 0;
  chunk: Chunk;
  private readonly view: View;
  private readonly next: () => number;

  constructor(view: View, next: () => number) {
    this.view = view;
    this.next = next;
    this.chunk = view.chunks[0] as Chunk;
    this.advance();
  }

  /** False at the end. */
  advance(): boolean {
    this.ref = this.next();
    if (this.ref < 0) return false;
    const index = this.view.slots[this.ref >>> 16] as number;
    this.chunk = this.view.chunks[index] as Chunk;
    this.row = this.ref - (this.view.bases[index] as number);
    return true;
  }
}

/** Gives the references of the matched rows of a run one by one, from the `rank`-th on. */
class RunWalker {
  private readonly view: View;
  private readonly run: readonly number[];
  private at = 0;
  private word = 0;
  private rest = 0;
  private left: number;
  private bits: Bits = new Uint32Array();
  private readonly one = new Uint32Array(1);

  constructor(view: View, run: readonly number[], rank: number) {
    this.view = view;
    this.run = run;
    let skip = rank;
    while (this.at < run.length && skip >= countIn(view, run[this.at] as number)) skip -= countIn(view, run[this.at++] as number);
    this.left = run.slice(this.at).reduce((sum, chunk) => sum + countIn(view, chunk), -skip);
    if (this.at === run.length) return;
    this.bits = bitsIn(view, run[this.at] as number);
    this.rest = this.bits[0] as number;
    for (let held = popcount(this.rest); skip >= held; held = popcount(this.rest)) {
      skip -= held;
      this.rest = this.bits[++this.word] as number;
    }
    for (; skip > 0; skip--) this.rest &= this.rest - 1;
  }

  get isAtEnd(): boolean {
    return this.left === 0;
  }

  next(): number {
    this.take(this.one, 0, 1);
    return this.one[0] as number;
  }

  /** Writes the next references to the places `from` to `to` (excluded). @returns `to`. */
  take(refs: Uint32Array, from: number, to: number): number {
    this.left -= to - from;
    let { bits, word, rest } = this;
    let base = this.view.bases[this.run[this.at] as number] as number;
    for (let i = from; i < to; i++) {
      while (rest === 0) {
        if (++word === bits.length) {
          const chunk = this.run[++this.at] as number;
          bits = bitsIn(this.view, chunk);
          base = this.view.bases[chunk] as number;
          word = 0;
        }
        rest = bits[word] as number;
      }
      refs[i] = base + (word << 5) + 31 - Math.clz32(rest & -rest);
      rest &= rest - 1;
    }
    this.bits = bits;
    this.word = word;
    this.rest = rest;
    return to;
  }
}

/** The position of each loose row (sorted) among all matched rows, in one pass over the bitmaps. */
function positionsOf(view: View, run: readonly number[], loose: Uint32Array): Uint32Array {
  const positions = new Uint32Array(loose.length);
  let chunk = 0;
  let word = 0;
  let before = 0;
  const bitsOf = (at: number) => bitsIn(view, run[at] as number);
  for (const [i, ref] of loose.entries()) {
    const at = locate(view, ref);
    const hot = (view.chunks[at.chunk] as Chunk).hot;
    while (chunk < run.length) {
      const other = view.chunks[run[chunk] as number] as Chunk;
      if (compareRows(other.hot, other.rows - 1, hot, at.row) >= 0) break;
      before += countBits(bitsOf(chunk++), word);
      word = 0;
    }
    let inside = 0;
    if (chunk < run.length) {
      const bits = bitsOf(chunk);
      const row = rowAfter(view.chunks[run[chunk] as number] as Chunk, hot, at.row);
      before += countBits(bits, word, row >>> 5);
      word = row >>> 5;
      inside = row & 31 ? popcount((bits[word] as number) & (0xffffffff >>> (32 - (row & 31)))) : 0;
    }
    positions[i] = before + inside + i;
  }
  return positions;
}
