import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';

/** What the address of the list of entities says: whose, which and what they are called. */
export interface EntitySearch extends OrganizationSearch {
  client?: string | undefined;
  active?: '1' | '0' | undefined;
  name?: string | undefined;
}

/** What the address of a new entity says: of whose clients it may be one, and of which it is unless another is chosen. */
export type NewEntitySearch = Pick<EntitySearch, 'organizationId' | 'client'>;

/** Reads it; what means nothing is left out. */
export function readNewEntitySearch(raw: Record<string, unknown>): NewEntitySearch {
  return { ...readOrganizationSearch(raw), ...(typeof raw.client === 'string' ? { client: raw.client } : {}) };
}

/** Reads it; what means nothing is left out. */
export function readEntitySearch(raw: Record<string, unknown>): EntitySearch {
  return {
    ...readNewEntitySearch(raw),
    ...(raw.active === '1' || raw.active === '0' ? { active: raw.active } : {}),
    ...(typeof raw.name === 'string' ? { name: raw.name.slice(0, 200) } : {}),
  };
}
