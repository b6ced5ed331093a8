import type { EntityFormField } from '#domain/entity-layouts.ts';

/** What the fields of an entity are called. @source specification section 3 */
export const entityLabels: Record<EntityFormField, string> = {
  entity_name: 'Entity Name',
  entity_type_id: 'Entity Type',
  accounting_system_id: 'Accounting System',
  allocation_method_id: 'Allocation Method',
  portfolio_id: 'Broker Account ID',
  fund_id: 'Fund ID',
  city: 'City',
  state: 'State',
  zip_code: 'Zip Code',
  country: 'Country',
  active: 'Status',
};
