/** What a form says of an entity, in the order in which it asks. */
export const entityFormFields = [
  'entity_name',
  'entity_type_id',
  'accounting_system_id',
  'allocation_method_id',
  'portfolio_id',
  'fund_id',
  'city',
  'state',
  'zip_code',
  'country',
  'active',
] as const;
export type EntityFormField = (typeof entityFormFields)[number];

/** The kinds of accounting systems a form is laid out for (specification section 3). */
export type AccountingPlatform = 'Default' | 'AT_Web' | 'Titan';

const everywhere = { Default: true, AT_Web: true, Titan: true } as const;

/**
 * Which layouts ask for a field. AT Web keeps an entity's books by portfolio, which it calls the broker account; Titan by fund, and says
 * in which order lots are taken. What a
 * layout does not ask for stays as it is.
 */
export const entityLayouts: Record<EntityFormField, Record<AccountingPlatform, boolean>> = {
  entity_name: everywhere,
  entity_type_id: everywhere,
  accounting_system_id: everywhere,
  allocation_method_id: { Default: false, AT_Web: false, Titan: true },
  portfolio_id: { Default: false, AT_Web: true, Titan: false },
  fund_id: { Default: false, AT_Web: false, Titan: true },
  city: everywhere,
  state: everywhere,
  zip_code: everywhere,
  country: everywhere,
  active: everywhere,
};

/** The layout for an accounting system, told by its name; whatever is not known has the default one. */
export function platformOf(systemName: string | undefined): AccountingPlatform {
  const name = systemName?.replace(/[\s_-]+/g, '').toLowerCase();
  return name === 'atweb' ? 'AT_Web' : name === 'titan' ? 'Titan' : 'Default';
}
