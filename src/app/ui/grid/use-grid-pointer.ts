import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { cellAt } from './cell-at.ts';
import type { CellPlace } from './cell-range.ts';
import { areTapsSelecting, type GridState } from './grid-state.ts';
import { awaitLongPress } from './long-press.ts';
import type { MenuPlace } from './popup-menu.tsx';

interface PointerParts<Row> {
  state: GridState<Row>;
  areCards: boolean;
  isSelectable: boolean;
  canOpen: boolean;
  isInRange: (row: number) => boolean;
  /** Begins to draw over cells. */
  onDraw: (event: PointerEvent, start: CellPlace) => void;
  onMenu: (cell: CellPlace, at: MenuPlace) => void;
}

function isWithin(target: EventTarget, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/**
 * What mouse, finger and pen do to the rows. A finger opens a row, or selects it once rows are being selected; a long press
 * selects a card, and opens the menu of a cell where rows have a box to select them by.
 */
export function useGridPointer<Row>({ state, areCards, isSelectable, canOpen, isInRange, onDraw, onMenu }: PointerParts<Row>) {
  const pointer = useRef('mouse');
  const isTouch = (): boolean => pointer.current !== 'mouse';

  const pressLong = (cell: CellPlace, at: MenuPlace, target: EventTarget): void => {
    if (areCards && isSelectable) {
      state.close();
      state.toggle(cell.row);
      state.move(cell);
      return;
    }
    // where the focus returns to
    if (target instanceof Element) target.closest<HTMLElement>('[data-column]')?.focus({ preventScroll: true });
    onMenu(cell, at);
  };
  return {
    onClick: (event: MouseEvent): void => {
      const cell = cellAt(event.target);
      if (!cell || isWithin(event.target, 'a, button')) return;
      const isBox = isWithin(event.target, '[data-select]');
      const isSelectingTap = (areCards || isTouch()) && areTapsSelecting(state.snapshot());
      if (isSelectable && event.shiftKey) state.extend(cell.row);
      else if (isSelectable && (isBox || isSelectingTap || event.ctrlKey || event.metaKey)) state.toggle(cell.row);
      else if (canOpen) state.open();
      state.move(isBox ? { row: cell.row } : cell);
    },
    onPointerDown: (event: PointerEvent): void => {
      pointer.current = event.pointerType;
      const { target, clientX, clientY } = event;
      const cell = cellAt(target);
      if (!cell || isWithin(target, 'a, button, [data-select]')) return;
      const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
      if (isTouch()) awaitLongPress(event, () => pressLong(cell, { x: clientX, y: clientY }, target));
      else if (isPlain && !areCards) onDraw(event, cell);
    },
    onContextMenu: (event: MouseEvent): void => {
      const cell = cellAt(event.target);
      // a link keeps the browser's own menu
      if (!cell || isWithin(event.target, 'a')) return;
      event.preventDefault();
      // the long press has done it already
      if (isTouch()) return;
      if (!isInRange(cell.row)) state.move(cell);
      onMenu(cell, { x: event.clientX, y: event.clientY });
    },
  };
}
