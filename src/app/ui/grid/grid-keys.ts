import { type ShortcutTable, type Stroke, shortcutOf } from '#app/ui/chords.ts';

/** Everything a key does in the rows of a grid. */
export const gridKeys = {
  'row-down': { keys: ['ArrowDown', 'j'], words: 'Next row' },
  'row-up': { keys: ['ArrowUp', 'k'], words: 'Row before' },
  'cell-right': { keys: ['ArrowRight'], words: 'Next cell' },
  'cell-left': { keys: ['ArrowLeft'], words: 'Cell before' },
  'page-down': { keys: ['PageDown'], words: 'One page down' },
  'page-up': { keys: ['PageUp'], words: 'One page up' },
  'row-start': { keys: ['Home'], words: 'First cell of the row' },
  'row-end': { keys: ['End'], words: 'Last cell of the row' },
  'list-start': { keys: ['Mod+Home'], words: 'First row' },
  'list-end': { keys: ['Mod+End'], words: 'Last row' },
  toggle: { keys: ['Space'], words: 'Select the row, or let it go' },
  extend: { keys: ['Shift+Space'], words: 'Select from the last selected row to this one' },
  'extend-down': { keys: ['Shift+ArrowDown', 'Shift+j'], words: 'Select one row, or one line of cells, more' },
  'extend-up': { keys: ['Shift+ArrowUp', 'Shift+k'], words: 'Select one row, or one line of cells, less' },
  'draw-right': { keys: ['Shift+ArrowRight'], words: 'Select cells to the right' },
  'draw-left': { keys: ['Shift+ArrowLeft'], words: 'Select cells to the left' },
  'select-all': { keys: ['Mod+a'], words: 'Select all filtered rows' },
  copy: { keys: ['Mod+c'], words: 'Copy the selected cells or rows' },
  open: { keys: ['Enter'], words: 'Open the row' },
  menu: { keys: ['ContextMenu', 'Shift+F10', 'Alt+ArrowDown'], words: 'Menu of the cell, or of the column' },
  only: { keys: ['f'], words: 'Only rows with this value' },
  not: { keys: ['Shift+f'], words: 'Only rows without this value' },
  leave: { keys: ['Escape'], words: 'Let go of cells, close the row, let go of rows' },
} as const satisfies ShortcutTable;

export type GridCommand = keyof typeof gridKeys;

/** What a stroke does in the rows, if anything. */
export function commandOf(stroke: Stroke): GridCommand | undefined {
  return shortcutOf(gridKeys, stroke);
}

/** Everything a key does at the heads of a grid's columns. */
export const headKeys = {
  next: { keys: ['ArrowRight'], words: 'Next column' },
  before: { keys: ['ArrowLeft'], words: 'Column before' },
  first: { keys: ['Home'], words: 'First column' },
  last: { keys: ['End'], words: 'Last column' },
  rows: { keys: ['ArrowDown'], words: 'Into the rows' },
  sort: { keys: ['Enter'], words: 'Sort by it: up, down, not at all' },
  'sort-too': { keys: ['Shift+Enter'], words: 'Sort by it, too' },
  menu: { keys: ['ContextMenu', 'Shift+F10', 'Alt+ArrowDown'], words: 'Menu of the column: width, place, pin, hide' },
} as const satisfies ShortcutTable;

/** What a screen lets one do with the selected rows, or the one the keyboard is on, by one letter. */
export interface RowAction {
  key: string;
  words: string;
  run: () => void;
}
