import { appKeys, paletteKeys } from './app-keys.ts';
import { allFilterKeys } from './screens/transactions/filters/filter-keys.ts';
import { listKeys, rowKeys, viewKeys } from './screens/transactions/transaction-keys.ts';
import type { ShortcutTable } from './ui/chords.ts';
import { gridKeys, headKeys } from './ui/grid/grid-keys.ts';

/** Every shortcut of the app, by where it works. What hears the keys reads the same tables. */
export const shortcuts: readonly { title: string; table: ShortcutTable }[] = [
  { title: 'Everywhere', table: appKeys },
  { title: 'In the search', table: paletteKeys },
  { title: 'Transactions', table: { ...rowKeys, ...listKeys } },
  { title: 'Filters', table: allFilterKeys },
  { title: 'Saved views', table: viewKeys },
  { title: 'Rows of a list', table: gridKeys },
  { title: 'Column heads', table: headKeys },
];
