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
