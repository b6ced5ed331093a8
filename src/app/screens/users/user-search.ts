import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';

/** What the address of the list of users says: of which organization, whose e-mail, and who is enabled. */
export interface UserSearch extends OrganizationSearch {
  email?: string | undefined;
  enabled?: 'true' | 'false' | undefined;
}

/** Reads it; what means nothing is left out. */
export function readUserSearch(raw: Record<string, unknown>): UserSearch {
  return {
    ...readOrganizationSearch(raw),
    ...(typeof raw.email === 'string' ? { email: raw.email.slice(0, 320) } : {}),
    ...(raw.enabled === 'true' || raw.enabled === 'false' ? { enabled: raw.enabled } : {}),
  };
}
