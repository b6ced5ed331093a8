import type { ShortcutTable } from '#app/ui/chords.ts';

/** What one letter does with the selected rows, or the one the keyboard is on; the last one with that one alone. */
export const rowKeys = {
  transfer: { keys: ['t'], words: 'Mark transfer' },
  notTransfer: { keys: ['u'], words: 'Mark not a transfer' },
  edit: { keys: ['e'], words: 'Go to the edit of the row that waits' },
} as const satisfies ShortcutTable;

/** What keys do with the whole list. */
export const listKeys = {
  print: { keys: ['Mod+p'], words: 'Print the whole list' },
} as const satisfies ShortcutTable;

/** The keys of the saved views. */
export const viewKeys = {
  open: { keys: ['v'], words: 'Open the saved views' },
  rename: { keys: ['F2'], words: 'On a view of your own: rename it' },
  remove: { keys: ['Delete'], words: 'On a view of your own: delete it' },
} as const satisfies ShortcutTable;
