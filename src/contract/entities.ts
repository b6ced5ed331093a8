import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import {
  codeSchema,
  decimalSchema,
  flagSchema,
  formNameSchema,
  formOptionalSchema,
  idSchema,
  newIdSchema,
  orderFields,
  pageFields,
  textSchema,
} from './wire.ts';

/** `ALL` and an absent value mean no filter; `1` active, `0` inactive. */
const activeFilterSchema = z
  .enum(['ALL', '1', '0', 'active', 'inactive', 'all'])
  .transform((value) => (value === '1' || value === 'active' ? true : value === '0' || value === 'inactive' ? false : undefined))
  .optional();

export const entitySchema = z.looseObject({
  id: idSchema,
  client_id: idSchema,
  organization_id: idSchema,
  entity_name: z.string(),
  entity_type_id: z.number().nullable(),
  portfolio_id: z.string().nullable(),
  fund_id: z.string().nullable(),
  state: z.string().nullable(),
  city: z.string().nullable(),
  zip_code: z.string().nullable(),
  country: z.string().nullable(),
  accounting_system_id: z.number().nullable(),
  allocation_method_id: z.number().nullable().optional(),
  active: z.boolean(),
  active_accounts: z.number(),
  inactive_accounts: z.number(),
  /** Active accounts whose newest reconciliation does not tie out; absent where a server does not say. */
  unreconciled_accounts: z.number().nullish(),
  /** What its accounts were worth when they were valued last, in US dollars; null or absent while none was. */
  portfolio_value: decimalSchema.nullish(),
  last_update: z.string().nullable(),
  version: z.number(),
});
export type Entity = z.infer<typeof entitySchema>;

/** What entities can be sorted by. */
const entityOrders = [
  'id',
  'entity_name',
  'entity_type_id',
  'portfolio_id',
  'fund_id',
  'state',
  'city',
  'zip_code',
  'country',
  'accounting_system_id',
  'active',
  'active_accounts',
  'inactive_accounts',
  'unreconciled_accounts',
  'portfolio_value',
  'last_update',
] as const;

export const listEntities = defineEndpoint({
  name: 'listEntities',
  method: 'GET',
  path: '/entities/',
  permission: 'entity_read',
  input: z.object({
    client_id: idSchema.optional(),
    organization_id: idSchema.optional(),
    name: textSchema(200).optional(),
    active: activeFilterSchema,
    ...orderFields(entityOrders),
    ...pageFields(400),
  }),
  output: z.array(entitySchema),
  paging: { by: 'single', limit: 400 },
});

export const getEntity = defineEndpoint({
  name: 'getEntity',
  method: 'GET',
  path: '/entities/:id',
  permission: 'entity_read',
  input: z.object({ id: idSchema }),
  output: entitySchema,
});

export const allocationMethodSchema = z.object({ id: codeSchema, name: z.string() });
export type AllocationMethod = z.infer<typeof allocationMethodSchema>;

/** The orders in which Titan may take a holding's lots. */
export const listAllocationMethods = defineEndpoint({
  name: 'listAllocationMethods',
  method: 'GET',
  path: '/entities/titan/allocation_methods',
  permission: 'entity_read',
  input: z.object({}),
  output: z.array(allocationMethodSchema),
});

/** What an entity is in law; the specification numbers them without a name. */
export const entityTypes: Readonly<Record<number, string>> = { 1: 'Fund', 2: 'Trust', 3: 'Company', 4: 'Person' };

/** Messages the form and the server share. */
export const entityMessages = { taken: 'Another entity of this client already has this name' } as const;

/** What a form says of an entity; labels as the specification has them. */
export const entityFieldsSchema = z.object({
  entity_name: formNameSchema('Entity Name', 200),
  entity_type_id: codeSchema.nullable(),
  portfolio_id: formOptionalSchema('Broker Account ID', 100),
  fund_id: formOptionalSchema('Fund ID', 100),
  state: formOptionalSchema('State', 100),
  city: formOptionalSchema('City', 100),
  zip_code: formOptionalSchema('Zip Code', 20),
  country: formOptionalSchema('Country', 100),
  accounting_system_id: codeSchema.nullable(),
  // not the specification's: who does not know of it leaves it as it is
  allocation_method_id: codeSchema.nullable().optional(),
  active: flagSchema,
});

export const createEntityInputSchema = z.object({ id: newIdSchema, client_id: idSchema, ...entityFieldsSchema.shape });
export type EntityFields = z.output<typeof entityFieldsSchema>;
export type CreateEntityInput = z.output<typeof createEntityInputSchema>;

/** Makes an entity under an id the client of the API made. Who sees assigned entities only is assigned to it. */
export const createEntity = defineEndpoint({
  name: 'createEntity',
  method: 'POST',
  path: '/entities',
  permission: 'entity_write',
  input: createEntityInputSchema,
  output: entitySchema,
  ifMatch: { noun: 'entities', id: 'id' },
});

export const updateEntityInputSchema = z.object({ id: idSchema, ...entityFieldsSchema.shape });
export type UpdateEntityInput = z.output<typeof updateEntityInputSchema>;

export const updateEntity = defineEndpoint({
  name: 'updateEntity',
  method: 'PUT',
  path: '/entities/:id',
  permission: 'entity_write',
  input: updateEntityInputSchema,
  output: entitySchema,
  ifMatch: { noun: 'entities', id: 'id' },
});

export const deleteEntityInputSchema = z.object({ id: idSchema });
export type DeleteEntityInput = z.infer<typeof deleteEntityInputSchema>;

/** Deletes an entity with its accounts, as far as anybody may see: what was booked stays in the database. */
export const deleteEntity = defineEndpoint({
  name: 'deleteEntity',
  method: 'DELETE',
  path: '/entities/:id',
  permission: 'entity_write',
  input: deleteEntityInputSchema,
  output: z.object({}),
  ifMatch: { noun: 'entities', id: 'id' },
});
