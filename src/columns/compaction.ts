import type { SegmentChunk } from './chunks.ts';
import { undeadRows } from './picks.ts';
import { carryOut, expectTexts, fullSizes, type Plan, Rewriting, withoutText } from './rewriting.ts';
import { isBefore, overlap } from './runs.ts';
import type { TableState } from './table-state.ts';

/**
 * Seals leave small segments behind, some with ranges that overlap. A compaction merges a few of them into full ones:
 *
 * - Neighbours that do not overlap, when they fill a segment or are eight, and none of them has more than half of their rows.
 * - Segments that overlap, from the sparsest level to denser ones, as long as the next level has no more rows there than those before it
 *   have together, and when that makes four levels. (A level is a set of segments that do not overlap one another.)
 *
 * Either way a row goes to a segment, or to a level, of at least twice as many rows, so that it is copied O(log n) times in all, and O(log n)
 * levels stay. A thorough compaction, for when no more rows are expected soon, merges whatever overlaps, and neighbours wherever there will
 * be fewer of them: in the end no segments overlap, and any that stand beside one another are all but full.
 *
 * A few of the newest rows are neighbours of one another alone: whoever opens a set looks at these, and should not have to read more.
 */
function chooseSegments({ segments, maxRows }: TableState, thorough: boolean): SegmentChunk[] | null {
  return (thorough ? chooseOverlapping(segments) : chooseLevels(segments)) ?? chooseNeighbours(segments, maxRows, thorough);
}

/** The partitions whose text a compaction would have to read and that is not loaded. */
export function textNeededToCompact(state: TableState, thorough: boolean): number[] {
  return withoutText(state, chooseSegments(state, thorough) ?? []);
}

/** Begins the next compaction, or null when nothing is worth it. Throws a TextNotLoadedError when text is missing. */
export function beginCompaction(state: TableState, thorough: boolean): Rewriting | null {
  const chosen = chooseSegments(state, thorough);
  if (!chosen) return null;
  expectTexts(state, chosen);
  return new Rewriting(state, compacting(state, chosen));
}

function* compacting(state: TableState, chosen: readonly SegmentChunk[]) {
  const parts = chosen.map(undeadRows);
  const rows = parts.reduce((sum, part) => sum + part.rows.length, 0);
  const plan: Plan = { replaced: chosen, merges: [{ parts, sizes: fullSizes(rows, state.maxRows) }], endsDelta: false };
  yield;
  return yield* carryOut(state, plan);
}

/** The newest segment that overlaps others, and those. What comes out of it is in place up to the end of the first piece. */
function chooseOverlapping(segments: readonly SegmentChunk[]): SegmentChunk[] | null {
  for (const [i, chunk] of segments.entries()) {
    const others = segments.slice(i + 1).filter((other) => overlap(chunk, other));
    if (others.length > 0) return [chunk, ...others];
  }
  return null;
}

const fewestLevels = 4;

function chooseLevels(segments: readonly SegmentChunk[]): SegmentChunk[] | null {
  const levels = levelsOf(segments);
  for (let sparsest = levels.length - 1; sparsest >= fewestLevels - 1; sparsest--) {
    for (const seed of levels[sparsest] as SegmentChunk[]) {
      const group = [seed];
      let merged = 1;
      for (let level = sparsest - 1; level >= 0; level--) {
        const others = (levels[level] as SegmentChunk[]).filter((other) => group.some((each) => overlap(each, other)));
        if (others.length === 0) continue;
        if (rowsOf(others) > rowsOf(group)) break;
        group.push(...others);
        merged++;
      }
      if (merged >= fewestLevels) return group;
    }
  }
  return null;
}

/** Parts segments into levels within which none overlap, the densest first. */
function levelsOf(segments: readonly SegmentChunk[]): SegmentChunk[][] {
  const density = ({ rows, segment }: SegmentChunk) => rows / (segment.newest - segment.oldest + 1);
  const levels: SegmentChunk[][] = [];
  for (const chunk of segments.toSorted((a, b) => density(b) - density(a))) {
    const free = levels.find((level) => level.every((other) => !overlap(chunk, other)));
    if (free) free.push(chunk);
    else levels.push([chunk]);
  }
  return levels;
}

const mostSmall = 8;

function chooseNeighbours(segments: readonly SegmentChunk[], maxRows: number, thorough: boolean): SegmentChunk[] | null {
  const newest = newestOf(segments, maxRows / 4);
  for (const level of levelsOf(segments)) {
    const inOrder = level.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    for (let from = 0; from < inOrder.length; from++) {
      const group: SegmentChunk[] = [];
      for (const chunk of inOrder.slice(from)) {
        if (chunk.rows >= maxRows || newest.has(chunk) !== newest.has(group[0] ?? chunk)) break;
        group.push(chunk);
        if (thorough ? isFewer(group, maxRows) : isWorth(group, maxRows)) return group;
      }
    }
  }
  return null;
}

/** The newest segments that have at most so many rows together. */
function newestOf(segments: readonly SegmentChunk[], most: number): ReadonlySet<SegmentChunk> {
  let rows = 0;
  const older = segments.findIndex((chunk) => (rows += chunk.rows) > most);
  return new Set(segments.slice(0, older < 0 ? segments.length : older));
}

function isFewer(group: readonly SegmentChunk[], maxRows: number): boolean {
  return Math.ceil(rowsOf(group) / maxRows) < group.length;
}

function isWorth(group: readonly SegmentChunk[], maxRows: number): boolean {
  const rows = rowsOf(group);
  const isMany = rows >= maxRows || group.length >= mostSmall;
  return isMany && isFewer(group, maxRows) && Math.max(...group.map((chunk) => chunk.rows)) * 2 <= rows;
}

function rowsOf(chunks: readonly SegmentChunk[]): number {
  return chunks.reduce((sum, { rows }) => sum + rows, 0);
}
