import { SegmentChunk } from './chunks.ts';
import type { DecimalForm } from './decimal-columns.ts';
import { formOf } from './decimal-columns.ts';
import type { Dictionaries } from './dictionaries.ts';
import { TextNotLoadedError } from './errors.ts';
import { gatherSegment } from './gather.ts';
import { LooseChunk } from './loose-chunk.ts';
import { mergeRows, type Rows } from './picks.ts';
import { runsOf } from './runs.ts';
import type { Segment } from './segments.ts';
import { hideBase, type TableState } from './table-state.ts';

/** What a seal or a compaction changed, to be stored in one transaction: segments to write, partitions to drop, and all dictionaries. */
export type Sealed = { readonly written: readonly Segment[]; readonly dropped: readonly number[]; readonly dictionaries: Dictionaries };

/** Rows to be merged into segments of the given sizes. */
export type Merge = { readonly parts: readonly Rows[]; readonly sizes: readonly number[] };

/** What a rewriting does: these segments go, and the merged rows come in their stead. */
export type Plan = { readonly replaced: readonly SegmentChunk[]; readonly merges: readonly Merge[]; readonly endsDelta: boolean };

/** A plan with the segments that it made. */
type CarriedOut = { readonly plan: Plan; readonly written: readonly SegmentChunk[] };

/**
 * Segments in the making. Nothing of the table changes until `finish`, so queries and `setOverlay` go on between the steps on what was
 * there; `put` and `remove` throw. Whoever does not want to finish calls `abandon`, and the table is as if nothing had begun.
 */
export class Rewriting {
  private readonly state: TableState;
  private readonly work: Generator<void, CarriedOut>;
  private done: CarriedOut | null = null;

  constructor(state: TableState, work: Generator<void, CarriedOut>) {
    this.state = state;
    this.work = work;
    state.rewriting = this;
  }

  /** Goes on for a few milliseconds at most. @returns whether there is more to do. */
  step(): boolean {
    this.expectCurrent();
    if (this.done) return false;
    const { done, value } = this.work.next();
    if (done) this.done = value;
    return !done;
  }

  /** Does what is left, and swaps in the result. */
  finish(): Sealed {
    this.expectCurrent();
    while (this.step());
    this.state.rewriting = null;
    const { plan, written } = this.done as CarriedOut;
    return swapIn(this.state, plan, written);
  }

  /** Leaves the table as it is. */
  abandon(): void {
    if (this.state.rewriting === this) this.state.rewriting = null;
  }

  private expectCurrent(): void {
    if (this.state.rewriting !== this) throw new Error('This seal or compaction was finished, abandoned, or replaced by another');
  }
}

/** Makes sure that all segments whose rows a rewriting reads have their text. Throws a TextNotLoadedError otherwise. */
export function expectTexts(state: TableState, read: readonly SegmentChunk[]): void {
  const missing = withoutText(state, read);
  if (missing.length > 0) throw new TextNotLoadedError(missing);
}

/** The partitions whose text is needed to rewrite some segments and is not loaded. */
export function withoutText({ layout }: TableState, read: readonly SegmentChunk[]): number[] {
  if (layout.texts.length === 0) return [];
  return read.filter(({ text }) => text === null).map(({ segment }) => segment.partition);
}

/** Makes the segments of a plan. */
export function* carryOut(state: TableState, plan: Plan): Generator<void, CarriedOut> {
  const written: SegmentChunk[] = [];
  for (const { parts, sizes } of plan.merges) {
    for (const picks of yield* mergeRows(parts, sizes)) {
      const chunk = new SegmentChunk(yield* gatherSegment(state.layout, state.nextPartition + written.length, picks));
      yield;
      // the next page asks all of them at once for its rows
      chunk.prepareFind();
      written.push(chunk);
      yield;
    }
  }
  return { plan, written };
}

/** `rows` parted into full segments and one with what is left. */
export function fullSizes(rows: number, maxRows: number): number[] {
  return Array.from({ length: Math.ceil(rows / maxRows) }, (_, i) => Math.min(maxRows, rows - i * maxRows));
}

/** `rows` parted into as few segments as hold them, all alike. */
export function evenSizes(rows: number, maxRows: number): number[] {
  const pieces = Math.ceil(rows / maxRows);
  return Array.from({ length: pieces }, (_, i) => Math.floor((rows * (i + 1)) / pieces) - Math.floor((rows * i) / pieces));
}

function swapIn(state: TableState, { replaced, endsDelta }: Plan, written: readonly SegmentChunk[]): Sealed {
  const { layout, delta } = state;
  const dropped = replaced.map(({ segment }) => segment.partition);
  if (written.length + dropped.length + (endsDelta ? delta.rows : 0) > 0) {
    const kept = state.segments.filter((chunk) => !replaced.includes(chunk));
    state.nextPartition += written.length;
    Object.assign(state, runsOf([...kept, ...written]));
    if (endsDelta) {
      // selections that might still read its rows have gone stale
      if (delta.capacity <= largestKept) delta.clear(formsOf(written.at(-1)?.segment));
      else state.delta = new LooseChunk(layout, state.dictionaries);
    }
    state.seals++;
    state.revision++;
    hideBase(state);
  }
  const dictionaries = Object.fromEntries(Array.from(state.dictionaries, ([name, { values }]) => [name, values.slice()]));
  return { written: written.map(({ segment }) => segment), dropped, dictionaries };
}

/** A delta with room for more rows gives its memory back when it is sealed. */
const largestKept = 32_768;

function formsOf(segment: Segment | undefined): Map<string, DecimalForm> {
  return new Map(Object.entries(segment?.hot.decimals ?? {}).map(([name, column]) => [name, formOf(column)]));
}
