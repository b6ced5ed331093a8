import type { ShortcutTable } from './ui/chords.ts';

/** Keys that work on every screen. */
export const appKeys = {
  palette: { keys: ['Mod+k'], words: 'Search: go to a client, entity, account or screen, or do something' },
  shortcuts: { keys: ['?'], words: 'Keyboard shortcuts' },
} as const satisfies ShortcutTable;

/** In the search. */
export const paletteKeys = {
  down: { keys: ['ArrowDown'], words: 'Next find' },
  up: { keys: ['ArrowUp'], words: 'Find before' },
  choose: { keys: ['Enter'], words: 'Go there, or do it' },
  leave: { keys: ['Escape'], words: 'Leave' },
} as const satisfies ShortcutTable;
