import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { codeSchema, idSchema, orderFields, pageFields, textSchema } from './wire.ts';

export const custodianSchema = z.looseObject({
  id: idSchema,
  custodian_name: z.string(),
  custodian_type_id: z.number(),
  active: z.boolean(),
  version: z.number(),
});
export type Custodian = z.infer<typeof custodianSchema>;

export const custodianTypeSchema = z.looseObject({ id: z.number(), custodian_type_name: z.string() });

export const listCustodians = defineEndpoint({
  name: 'listCustodians',
  method: 'GET',
  path: '/custodians/',
  permission: 'custodian_read',
  input: z.object({
    name: textSchema(200).optional(),
    custodian_type_id: z.union([z.literal('all').transform(() => undefined), codeSchema]).prefault('all'),
    active: z.enum(['active', 'inactive', 'all']).default('active'),
    ...orderFields(['id', 'custodian_name', 'custodian_type_id', 'active']),
    ...pageFields(500),
  }),
  output: z.array(custodianSchema),
  paging: { by: 'single', limit: 500 },
});

export const getCustodian = defineEndpoint({
  name: 'getCustodian',
  method: 'GET',
  path: '/custodians/:id',
  permission: 'custodian_read',
  input: z.object({ id: idSchema }),
  output: custodianSchema,
});

export const listCustodianTypes = defineEndpoint({
  name: 'listCustodianTypes',
  method: 'GET',
  path: '/custodians/types',
  permission: 'custodian_read',
  input: z.object({}),
  output: z.array(custodianTypeSchema),
});
