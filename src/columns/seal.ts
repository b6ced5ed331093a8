import { listRows } from './bits.ts';
import { type Chunk, compareRows, SegmentChunk } from './chunks.ts';
import type { Dictionaries } from './dictionaries.ts';
import { TextNotLoadedError } from './errors.ts';
import { gatherSegment, type Picks } from './gather.ts';
import { LooseChunk } from './loose-chunk.ts';
import { pieceSizes, planSeal, type Plan, type Rewrite, undead } from './seal-plan.ts';
import type { Segment } from './segments.ts';
import { hideBase, type TableState } from './table-state.ts';

/** What a seal changed, to be stored in one transaction: segments to write, partitions to drop, and all dictionaries. */
export type Sealed = { readonly written: readonly Segment[]; readonly dropped: readonly number[]; readonly dictionaries: Dictionaries };

/** The partitions whose text a seal would have to read and that is not loaded. */
export function textNeededBy(state: TableState, plan: Plan = planSeal(state)): number[] {
  if (state.layout.texts.length === 0) return [];
  const read = plan.rewrites.filter(({ touched, rows }) => touched && rows > 0).flatMap(({ chunks }) => chunks);
  return read.filter(({ text }) => text === null).map(({ segment }) => segment.partition);
}

/** Merges delta and tombstones into the segments. Throws a TextNotLoadedError, before anything changes, when text is missing. */
export function seal(state: TableState): Sealed {
  const plan = planSeal(state);
  const missing = textNeededBy(state, plan);
  if (missing.length > 0) throw new TextNotLoadedError(missing);
  const written: Segment[] = [];
  const dropped: number[] = [];
  const segments: SegmentChunk[] = [];
  for (const rewrite of plan.rewrites) {
    if (!rewrite.touched) {
      segments.push(...rewrite.chunks);
      continue;
    }
    dropped.push(...rewrite.chunks.map(({ segment }) => segment.partition));
    const made = rewriteSegments(state, rewrite, plan.fresh, state.nextPartition + written.length);
    written.push(...made);
    segments.push(...made.map((segment) => new SegmentChunk(segment)));
  }
  if (written.length + dropped.length + state.delta.rows > 0) {
    state.nextPartition += written.length;
    state.segments = segments;
    state.delta = new LooseChunk(state.layout, state.dictionaries);
    state.seals++;
    state.revision++;
    hideBase(state);
  }
  return { written, dropped, dictionaries: exportDictionaries(state) };
}

/** All dictionaries as a plain object. */
function exportDictionaries({ dictionaries }: TableState): Dictionaries {
  return Object.fromEntries(Array.from(dictionaries, ([name, { values }]) => [name, values.slice()]));
}

function rewriteSegments(state: TableState, rewrite: Rewrite, fresh: Uint32Array, firstPartition: number): Segment[] {
  const picks = mergeRows(rewrite, state.delta, fresh);
  let from = 0;
  return pieceSizes(rewrite, state.maxRows).map((size, i) => {
    const piece = { ...picks, source: picks.source.subarray(from, from + size), row: picks.row.subarray(from, from + size) };
    from += size;
    return gatherSegment(state.layout, firstPartition + i, piece);
  });
}

/** The living rows of a rewrite's segments and its rows of the delta, merged in the default order. */
function mergeRows({ chunks, from, to, rows }: Rewrite, delta: Chunk, fresh: Uint32Array): Picks {
  const source = new Uint16Array(rows);
  const row = new Uint32Array(rows);
  let at = 0;
  let next = from;
  const takeFresh = () => {
    source[at] = chunks.length;
    row[at++] = fresh[next++] as number;
  };
  for (const [index, chunk] of chunks.entries()) {
    const alive = new Uint32Array(chunk.rows);
    const count = listRows(undead(chunk), alive);
    for (let i = 0; i < count; i++) {
      const own = alive[i] as number;
      while (next < to && compareRows(delta.hot, fresh[next] as number, chunk.hot, own) < 0) takeFresh();
      source[at] = index;
      row[at++] = own;
    }
  }
  while (next < to) takeFresh();
  return { sources: [...chunks, delta], source, row };
}
