import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { codeSchema, idSchema, pageFields, textSchema } from './wire.ts';

export const organizationSchema = z.looseObject({ id: idSchema, name: z.string(), version: z.number() });
export type Organization = z.infer<typeof organizationSchema>;

export const clientSchema = z.looseObject({
  id: idSchema,
  organization_id: idSchema,
  client_name: z.string(),
  version: z.number(),
});
export type Client = z.infer<typeof clientSchema>;

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
  active: z.boolean(),
  active_accounts: z.number(),
  inactive_accounts: z.number(),
  last_update: z.string().nullable(),
  version: z.number(),
});
export type Entity = z.infer<typeof entitySchema>;

export const listOrganizations = defineEndpoint({
  name: 'listOrganizations',
  method: 'GET',
  path: '/organizations',
  permission: 'organization_read',
  input: z.object({ name: textSchema(200).optional(), ...pageFields(500) }),
  output: z.array(organizationSchema),
  paging: { by: 'skip', limit: 500 },
});

export const listClients = defineEndpoint({
  name: 'listClients',
  method: 'GET',
  path: '/clients/',
  permission: 'client_read',
  input: z.object({ organization_id: idSchema.optional(), name: textSchema(200).optional(), ...pageFields(500) }),
  output: z.array(clientSchema),
  paging: { by: 'single', limit: 500 },
});

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

export const accountingSystemSchema = z.object({ id: codeSchema, name: z.string() });

export const listAccountingSystems = defineEndpoint({
  name: 'listAccountingSystems',
  method: 'GET',
  path: '/clients/get_accounting_systems',
  permission: 'client_read',
  input: z.object({}),
  output: z.array(accountingSystemSchema),
});
