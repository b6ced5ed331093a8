import type { EntityFields } from '#contract/entities.ts';

/** What a form may say of an entity. */
export const entityFields: EntityFields = {
  entity_name: 'Alder Trust',
  entity_type_id: 2,
  portfolio_id: null,
  fund_id: null,
  state: null,
  city: null,
  zip_code: null,
  country: null,
  accounting_system_id: null,
  active: true,
};
