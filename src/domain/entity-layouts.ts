/** What a form says of an entity, in the order in which it asks. */
export const entityFormFields = [
  'entity_name',
  'entity_type_id',
  'accounting_system_id',
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

/**
 * Which fields each layout asks for. AT Web keeps an entity's books by portfolio, which it calls the broker account; Titan by fund.
 * What a layout does not ask for stays as it is.
 */
export const entityLayouts: Record<AccountingPlatform, Record<EntityFormField, boolean>> = {
  Default: {
    entity_name: true,
    entity_type_id: true,
    accounting_system_id: true,
    portfolio_id: false,
    fund_id: false,
    city: true,
    state: true,
    zip_code: true,
    country: true,
    active: true,
  },
  AT_Web: {
    entity_name: true,
    entity_type_id: true,
    accounting_system_id: true,
    portfolio_id: true,
    fund_id: false,
    city: true,
    state: true,
    zip_code: true,
    country: true,
    active: true,
  },
  Titan: {
    entity_name: true,
    entity_type_id: true,
    accounting_system_id: true,
    portfolio_id: false,
    fund_id: true,
    city: true,
    state: true,
    zip_code: true,
    country: true,
    active: true,
  },
};

/** The layout for an accounting system, told by its name; whatever is not known has the default one. */
export function platformOf(systemName: string | undefined): AccountingPlatform {
  const name = systemName?.replace(/[\s_-]+/g, '').toLowerCase();
  return name === 'atweb' ? 'AT_Web' : name === 'titan' ? 'Titan' : 'Default';
}
