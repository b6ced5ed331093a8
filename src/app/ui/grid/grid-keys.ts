/** Everything a key can do in a grid. */
export type GridCommand =
  | 'row-down'
  | 'row-up'
  | 'cell-left'
  | 'cell-right'
  | 'page-down'
  | 'page-up'
  | 'row-start'
  | 'row-end'
  | 'list-start'
  | 'list-end'
  | 'toggle'
  | 'extend'
  | 'extend-down'
  | 'extend-up'
  | 'draw-left'
  | 'draw-right'
  | 'select-all'
  | 'copy'
  | 'open'
  | 'menu'
  | 'only'
  | 'not'
  | 'leave';

/** One thing keys do, as a sheet of shortcuts lists it. `Mod` is Ctrl, on a Mac Cmd. */
export interface GridKey {
  command: GridCommand;
  keys: readonly string[];
  words: string;
}

export const gridKeys: readonly GridKey[] = [
  { command: 'row-down', keys: ['ArrowDown', 'j'], words: 'Next row' },
  { command: 'row-up', keys: ['ArrowUp', 'k'], words: 'Row before' },
  { command: 'cell-right', keys: ['ArrowRight'], words: 'Next cell' },
  { command: 'cell-left', keys: ['ArrowLeft'], words: 'Cell before' },
  { command: 'page-down', keys: ['PageDown'], words: 'One page down' },
  { command: 'page-up', keys: ['PageUp'], words: 'One page up' },
  { command: 'row-start', keys: ['Home'], words: 'First cell of the row' },
  { command: 'row-end', keys: ['End'], words: 'Last cell of the row' },
  { command: 'list-start', keys: ['Mod+Home'], words: 'First row' },
  { command: 'list-end', keys: ['Mod+End'], words: 'Last row' },
  { command: 'toggle', keys: ['Space'], words: 'Select the row, or let it go' },
  { command: 'extend', keys: ['Shift+Space'], words: 'Select from the last selected row to this one' },
  { command: 'extend-down', keys: ['Shift+ArrowDown', 'Shift+j'], words: 'Select one row, or one line of cells, more' },
  { command: 'extend-up', keys: ['Shift+ArrowUp', 'Shift+k'], words: 'Select one row, or one line of cells, less' },
  { command: 'draw-right', keys: ['Shift+ArrowRight'], words: 'Select cells to the right' },
  { command: 'draw-left', keys: ['Shift+ArrowLeft'], words: 'Select cells to the left' },
  { command: 'select-all', keys: ['Mod+a'], words: 'Select all filtered rows' },
  { command: 'copy', keys: ['Mod+c'], words: 'Copy the selected cells or rows' },
  { command: 'open', keys: ['Enter'], words: 'Open the row' },
  { command: 'menu', keys: ['ContextMenu', 'Shift+F10', 'Alt+ArrowDown'], words: 'Menu of the cell, or of the column' },
  { command: 'only', keys: ['f'], words: 'Only rows with this value' },
  { command: 'not', keys: ['Shift+f'], words: 'Only rows without this value' },
  { command: 'leave', keys: ['Escape'], words: 'Let go of cells, close the row, let go of rows' },
];

/** What a screen lets one do with the selected rows, or the one the keyboard is on, by one letter. */
export interface RowAction {
  key: string;
  words: string;
  run: () => void;
}

interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** A key with its modifiers as the table writes it; letters whatever the caps lock says. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Stroke): string {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${name}`;
}

const commands: ReadonlyMap<string, GridCommand> = new Map(gridKeys.flatMap(({ keys, command }) => keys.map((key) => [key, command])));

/** What a stroke does in a grid, if anything. */
export function commandOf(stroke: Stroke): GridCommand | undefined {
  return commands.get(chordOf(stroke));
}
