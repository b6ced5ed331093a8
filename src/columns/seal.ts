import { compareRows, liveRows, type SegmentChunk } from './chunks.ts';
import { listRows } from './bits.ts';
import type { LooseChunk } from './loose-chunk.ts';
import { type Rows, undead, undeadRows } from './picks.ts';
import { carryOut, evenSizes, expectTexts, fullSizes, type Merge, type Plan, Rewriting, withoutText } from './rewriting.ts';
import { sortRefs } from './sort-refs.ts';
import { byDefault } from './sorting.ts';
import type { TableState } from './table-state.ts';
import { withBits } from './view.ts';

/** The partitions whose text a seal would have to read and that is not loaded. */
export function textNeededBy(state: TableState): number[] {
  return withoutText(state, touchedBy(state).filter(isAlive));
}

/** How many rows a seal would write. */
export function rowsToSeal(state: TableState): number {
  return touchedBy(state).reduce((sum, chunk) => sum + liveRows(chunk), liveRows(state.delta));
}

/**
 * Begins to turn the delta into segments of its own, and to rewrite the segments that have lost rows, together with the rows of the delta
 * that fall between theirs. No other segment is read. Throws a TextNotLoadedError when text is missing.
 */
export function beginSeal(state: TableState): Rewriting {
  expectTexts(state, touchedBy(state).filter(isAlive));
  return new Rewriting(state, sealing(state));
}

function* sealing(state: TableState) {
  return yield* carryOut(state, yield* planSeal(state));
}

function touchedBy({ segments }: TableState): SegmentChunk[] {
  return segments.filter(({ dead }) => dead !== null);
}

function isAlive(chunk: SegmentChunk): boolean {
  return undead(chunk).some((word) => word !== 0);
}

function* planSeal(state: TableState): Generator<void, Plan> {
  const { delta, maxRows } = state;
  const touched = touchedBy(state);
  let fresh = sortedRows(delta);
  yield;
  const merges: Merge[] = [];
  for (const chunk of touched) {
    const own = undeadRows(chunk);
    const isInside = (row: number) =>
      compareRows(chunk.hot, 0, delta.hot, row) < 0 && compareRows(delta.hot, row, chunk.hot, chunk.rows - 1) < 0;
    const inside = own.rows.length > 0 ? fresh.filter(isInside) : new Uint32Array();
    if (inside.length > 0) fresh = fresh.filter((row) => !isInside(row));
    const parts: Rows[] = [own, { chunk: delta, rows: inside }];
    merges.push({ parts, sizes: evenSizes(own.rows.length + inside.length, maxRows) });
    yield;
  }
  merges.push({ parts: [{ chunk: delta, rows: fresh }], sizes: fullSizes(fresh.length, maxRows) });
  return { replaced: touched, merges, endsDelta: true };
}

/** The rows of the delta that are not dead, in the default order. Pages often come in order, and then nothing is sorted. */
function sortedRows(delta: LooseChunk): Uint32Array {
  const all = new Uint32Array(delta.rows);
  const rows = all.subarray(0, listRows(undead(delta), all));
  let inOrder = true;
  for (let i = 1; i < rows.length && inOrder; i++) {
    inOrder = compareRows(delta.hot, rows[i - 1] as number, delta.hot, rows[i] as number) < 0;
  }
  if (inOrder) return rows;
  const slots = Array.from({ length: Math.ceil(delta.rows / 65_536) }, () => 0);
  const rowsLeft = [undead(delta)];
  return sortRefs(withBits({ chunks: [delta], runs: [], live: rowsLeft, bases: [0], slots }, rowsLeft), rows, byDefault);
}
