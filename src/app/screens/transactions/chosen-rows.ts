import type { GridRow } from '#workers/start.ts';
import { pickRows, readRows } from '#app/ui/grid/grid-source.ts';
import { type GridState, mostSelected } from '#app/ui/grid/grid-state.ts';
import { isSelected } from '#app/ui/grid/row-selection.ts';
import type { QuerySource } from './query-source.ts';

/**
 * The rows an action is about, as they are now: the selected ones that are still in the list, else the one the keyboard is on.
 * @returns null where they are too many to change at once. @throws ChangedMeanwhileError where nobody can say how they are.
 */
export async function chosenRows(source: QuerySource, state: GridState<GridRow>): Promise<readonly GridRow[] | null> {
  const { selection, active } = state.snapshot();
  if (selection.kind === 'some') return pickRows(source, new Set(selection.rows.keys()));
  if (selection.kind === 'none') {
    const row = source.row(active.row);
    if (!row) return [];
    // out of sight it may be as it was a while ago
    return source.rowNow(active.row) ? [row] : pickRows(source, new Set([row.id]));
  }
  if ((source.count() ?? 0) > mostSelected) return null;
  const rows = await readRows(source, 0, Infinity, { signal: new AbortController().signal, onProgress: () => undefined });
  if (rows.length > mostSelected) return null;
  return rows.filter((row) => isSelected(selection, row.id));
}
