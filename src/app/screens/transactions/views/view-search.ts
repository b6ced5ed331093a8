import type { PendingMark } from '#replica/overlay.ts';
import { readTransactionSearch, type TransactionSearch } from '#app/screens/transactions/transaction-search.ts';

/** A view one can choose. */
export interface View {
  id: string;
  name: string;
  /** The query of its address as text; without a place it is of whatever place one looks at. */
  search: string;
  pending: PendingMark | null;
}

/** Views everybody has. What needs attention does so whatever its date. */
export const builtInViews: readonly View[] = [
  { id: 'previous-month', name: 'Previous month', search: '', pending: null },
  { id: 'unpriced', name: 'Unpriced', search: 'dates=all&unpriced=only', pending: null },
  { id: 'unidentified', name: 'Unidentified', search: 'dates=all&unidentified=only', pending: null },
];

export function isBuiltIn(view: View): boolean {
  return builtInViews.includes(view);
}

/** The parts of an address that say where one looks, not for what. */
const placeNames: ReadonlySet<string> = new Set(['entity', 'client'] satisfies (keyof TransactionSearch)[]);

/** The text a view keeps of an address, in one order whatever the order of its parts. */
export function viewText(search: TransactionSearch, keepsPlace: boolean): string {
  const parts = Object.entries(search)
    .filter((part): part is [string, string] => typeof part[1] === 'string' && part[1] !== '' && (keepsPlace || !placeNames.has(part[0])))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return new URLSearchParams(parts).toString();
}

function partsOf(text: string): [string, string][] {
  return [...new URLSearchParams(text)];
}

/** Whether a view is of one place, wherever one looks. */
export function hasPlace(text: string): boolean {
  return partsOf(text).some(([name]) => placeNames.has(name));
}

/** The address of a view, read by nobody yet; one without a place gets the place one is at. */
export function addressOfView(text: string, here: TransactionSearch): Record<string, string> {
  const place = Object.entries(here).filter((part): part is [string, string] => placeNames.has(part[0]) && typeof part[1] === 'string');
  return Object.fromEntries([...(hasPlace(text) ? [] : place), ...partsOf(text)]);
}

/** Whether an address shows what a view stands for. */
export function isAtView(text: string, here: TransactionSearch): boolean {
  return viewText(readTransactionSearch(addressOfView(text, here)).search, true) === viewText(here, true);
}
