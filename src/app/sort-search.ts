import { sortSteps, sortText } from '#domain/sorting.ts';

/** What an address says of the order of its list; the usual one where it says nothing. */
export interface SortSearch {
  /** Fields with commas, the first one first; a minus before one is descending. */
  sort?: string | undefined;
}

/** Reads it; what is none of the fields is left out. */
export function readSortSearch(raw: Record<string, unknown>, fields: readonly string[]): SortSearch {
  const sort = typeof raw.sort === 'string' ? sortText(sortSteps(raw.sort, fields)) : undefined;
  return sort === undefined ? {} : { sort };
}
