import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';
import { readSortSearch, type SortSearch } from '#app/sort-search.ts';

/** What the list of entities can be sorted by. */
export const entityFields = ['entity', 'client', 'accounts', 'inactive', 'unreconciled', 'pending', 'aum', 'updated'] as const;
export type EntityField = (typeof entityFields)[number];

/** What the address of the list of entities says: whose, which, what they are called, and in which order. */
export interface EntitySearch extends OrganizationSearch, SortSearch {
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
    ...readSortSearch(raw, entityFields),
  };
}
