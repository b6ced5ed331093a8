import type { CellPlace } from './cell-range.ts';

/** The cell an event is in. */
export function cellAt(target: EventTarget): CellPlace | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest('[data-row]')?.getAttribute('data-row');
  if (row === null || row === undefined) return null;
  return { row: Number(row), column: Number(target.closest('[data-column]')?.getAttribute('data-column') ?? 0) };
}
