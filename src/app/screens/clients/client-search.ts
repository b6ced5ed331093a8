import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';
import { readSortSearch, type SortSearch } from '#app/sort-search.ts';

/** What the list of clients can be sorted by. */
export const clientFields = ['client', 'organization', 'entities', 'accounts', 'unreconciled', 'aum', 'updated'] as const;
export type ClientField = (typeof clientFields)[number];

/** What the address of the list of clients says: of which organization, and in which order. */
export interface ClientSearch extends OrganizationSearch, SortSearch {}

/** Reads it; what means nothing is left out. */
export function readClientSearch(raw: Record<string, unknown>): ClientSearch {
  return { ...readOrganizationSearch(raw), ...readSortSearch(raw, clientFields) };
}
