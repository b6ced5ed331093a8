import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '#app/ui/focus.ts';
import type { CellPlace } from './cell-range.ts';
import type { ColumnPlaces } from './column-places.ts';
import { focusGrid } from './focus-grid.ts';
import type { GridViewport } from './grid-viewport.ts';

/** Puts the focus on a cell that is drawn. */
function focusCell(body: HTMLElement | null, { row, column }: CellPlace): void {
  body?.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`)?.focus({ preventScroll: true });
}

interface FocusParts {
  /** The whole list, which has the focus while there is no row. */
  grid: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  active: CellPlace;
  /** Grows where the active cell only went along with its row. */
  follows: number;
  viewport: GridViewport;
  places: ColumnPlaces;
  isEmpty: boolean;
}

/** Brings the active cell into view, and the focus along with it while the focus is in the grid. */
export function useCellFocus({ grid, body, active, follows, viewport, places, isEmpty }: FocusParts) {
  const isInside = useRef(false);
  const shown = useRef(places);
  const last = useRef({ ...active, follows });
  const { row, column } = active;
  useEffect(() => {
    shown.current = places;
  });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { row, column, follows };
    if (before.row !== row && before.follows === follows) viewport.revealRow(row);
    const place = [...shown.current.pinned, ...shown.current.free][column];
    if (before.column !== column && place) viewport.revealColumn(place);
    if (isInside.current) focusCell(body.current, { row, column });
  }, [row, column, follows, viewport, body]);
  useLayoutEffect(() => {
    const isLost = isEmpty ? isInside.current && isFocusLost() : document.activeElement === grid.current;
    if (isLost) focusGrid(grid.current);
  }, [isEmpty, grid]);
  return {
    /** Goes to the active cell from elsewhere. */
    enter: () => {
      viewport.revealRow(row);
      requestAnimationFrame(() => focusCell(body.current, { row, column }));
    },
    /** Takes the focus that was lost, to the active cell or to the list while it has no row. */
    regain: () => focusGrid(grid.current),
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      // nothing else took the focus: the window lost it, or the cell is being replaced
      if (event.relatedTarget !== null) isInside.current = event.currentTarget.contains(event.relatedTarget as Node);
    },
  };
}

/** Moves the focus between heads as `at` moves, while it is in the header. */
export function useHeadFocus(
  header: RefObject<HTMLElement | null>,
  at: number,
  reveal: (index: number) => void,
  focus: (at: number) => void,
): void {
  const last = useRef(at);
  const act = useRef({ reveal, focus });
  useEffect(() => {
    act.current = { reveal, focus };
  });
  useEffect(() => {
    if (last.current === at) return;
    last.current = at;
    act.current.reveal(at);
    if (header.current?.contains(document.activeElement) === true) act.current.focus(at);
  }, [at, header]);
}
