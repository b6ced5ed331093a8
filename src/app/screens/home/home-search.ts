import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';

/** What the address of Home says: whose entities, all of them or those with something to do, and whether their values are looked at. */
export interface HomeSearch extends OrganizationSearch {
  client?: string | undefined;
  show?: 'all' | undefined;
  view?: 'values' | undefined;
}

/** Reads it; what means nothing is left out. */
export function readHomeSearch(raw: Record<string, unknown>): HomeSearch {
  return {
    ...readOrganizationSearch(raw),
    ...(typeof raw.client === 'string' ? { client: raw.client } : {}),
    ...(raw.show === 'all' ? { show: 'all' } : {}),
    ...(raw.view === 'values' ? { view: 'values' } : {}),
  };
}
