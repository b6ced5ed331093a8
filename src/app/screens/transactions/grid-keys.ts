import type { KeyboardEvent } from 'react';
import type { GridState } from './use-grid-state.ts';

export interface GridActions {
  /** Rows a page key moves by. */
  pageSize: number;
  count: number;
  /** Marks the selection, or the row one is on, as a transfer or not. */
  mark: (isTransfer: boolean) => void;
  copy: () => void;
  scrollSideways: (pixels: number) => void;
}

const sidewaysPx = 160;

/** The keys of the grid. @returns whether the key meant something here. */
export function onGridKey(event: KeyboardEvent, state: GridState, actions: GridActions): boolean {
  const { active } = state;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'c' && window.getSelection()?.isCollapsed !== false) {
      actions.copy();
      return true;
    }
    if (event.key === 'Home') state.move(0);
    else if (event.key === 'End') state.move(actions.count - 1);
    else return false;
    return true;
  }
  if (event.altKey) return false;
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
      state.move(active + 1);
      if (event.shiftKey) state.extend(active + 1);
      return true;
    case 'ArrowUp':
    case 'k':
      state.move(active - 1);
      if (event.shiftKey) state.extend(active - 1);
      return true;
    case 'ArrowRight':
      actions.scrollSideways(sidewaysPx);
      return true;
    case 'ArrowLeft':
      actions.scrollSideways(-sidewaysPx);
      return true;
    case 'PageDown':
      state.move(active + actions.pageSize);
      return true;
    case 'PageUp':
      state.move(active - actions.pageSize);
      return true;
    case 'Home':
      state.move(0);
      return true;
    case 'End':
      state.move(actions.count - 1);
      return true;
    case ' ':
      if (event.shiftKey) state.extend(active);
      else state.toggle(active);
      return true;
    case 'Enter':
      state.open(active);
      return true;
    case 'Escape':
      if (state.openIndex !== null) state.close();
      else state.clear();
      return true;
    case 't':
      actions.mark(true);
      return true;
    case 'u':
      actions.mark(false);
      return true;
    default:
      return false;
  }
}
