import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';

/** What an address says of the organization a screen is narrowed to. @source specification section 2 */
export interface OrganizationSearch {
  organizationId?: string | undefined;
}

/** Reads it; what is no id is left out. */
export function readOrganizationSearch(raw: Record<string, unknown>): OrganizationSearch {
  const { organizationId: id } = raw;
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? { organizationId: id } : {};
}

/** The same organization at the next address. */
export function carriedOrganization({ organizationId }: OrganizationSearch): OrganizationSearch {
  return organizationId === undefined ? {} : { organizationId };
}

/** The one the screens were narrowed to last: the app begins with it. */
export function lastOrganization(local: LocalStorage): OrganizationSearch {
  return readOrganizationSearch({ organizationId: local.getItem(keptKeys.lastOrganization.key) });
}

/** A screen that can be narrowed is narrowed to this one, or to none. */
export function rememberOrganization(local: LocalStorage, { organizationId }: OrganizationSearch): void {
  if (organizationId === undefined) local.removeItem(keptKeys.lastOrganization.key);
  else local.setItem(keptKeys.lastOrganization.key, organizationId);
}
