import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';
import { readSortSearch, type SortSearch } from '#app/sort-search.ts';

/** What the list of users can be sorted by. */
export const userFields = ['email', 'name', 'roles', 'organizations', 'account', 'signed_in'] as const;
export type UserField = (typeof userFields)[number];

/** What the address of the list of users says: of which organization, whose e-mail, who is enabled, and in which order. */
export interface UserSearch extends OrganizationSearch, SortSearch {
  email?: string | undefined;
  enabled?: 'true' | 'false' | undefined;
}

/** Reads it; what means nothing is left out. */
export function readUserSearch(raw: Record<string, unknown>): UserSearch {
  return {
    ...readOrganizationSearch(raw),
    ...(typeof raw.email === 'string' ? { email: raw.email.slice(0, 320) } : {}),
    ...(raw.enabled === 'true' || raw.enabled === 'false' ? { enabled: raw.enabled } : {}),
    ...readSortSearch(raw, userFields),
  };
}
