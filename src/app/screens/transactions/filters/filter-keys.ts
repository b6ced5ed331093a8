import type { ShortcutTable } from '#app/ui/chords.ts';
import { draftKeys } from '#app/ui/draft-input.tsx';
import { pillKeys } from '#app/ui/pill.tsx';

/** The keys of the filter bar. */
export const filterKeys = {
  search: { keys: ['/'], words: 'Search' },
  add: { keys: ['Alt+f'], words: 'Add a filter' },
} as const satisfies ShortcutTable;

/** On a filter of the bar. */
export const filterMoves = {
  next: { keys: ['ArrowRight'], words: 'Next filter' },
  before: { keys: ['ArrowLeft'], words: 'Filter before' },
  first: { keys: ['Home'], words: 'First filter' },
  last: { keys: ['End'], words: 'Last filter' },
} as const satisfies ShortcutTable;

/** Everything a key does with filters. */
export const allFilterKeys: ShortcutTable = { ...filterKeys, ...filterMoves, ...pillKeys, ...draftKeys };
