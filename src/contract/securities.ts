import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { codeSchema, flagSchema, idSchema, pageFields, textSchema } from './wire.ts';

export const securitySchema = z.looseObject({
  id: idSchema,
  security_name: z.string(),
  security_type_id: z.number(),
  ticker: z.string(),
  dart_security_id: z.string().nullable(),
  version: z.number(),
});
export type Security = z.infer<typeof securitySchema>;

export const securityTypeSchema = z.looseObject({ id: z.number(), security_type_name: z.string() });

export const listSecurities = defineEndpoint({
  name: 'listSecurities',
  method: 'GET',
  path: '/securities/',
  permission: 'security_read',
  input: z.object({
    price_source_id: textSchema(64).optional(),
    security_name: textSchema(200).optional(),
    security_type_id: codeSchema.optional(),
    ticker: textSchema(64).optional(),
    dart_security_id: textSchema(64).optional(),
    order_by: z.enum(['id', 'security_name', 'ticker', 'security_type_id', 'dart_security_id']).default('id'),
    order_by_asc: flagSchema.prefault(true),
    ...pageFields(100),
  }),
  output: z.array(securitySchema),
  paging: { by: 'skip', limit: 100 },
});

/** The one security of a ticker and type; the product asks for `USD`, type 3. */
export const getSecurity = defineEndpoint({
  name: 'getSecurity',
  method: 'GET',
  path: '/securities/security',
  permission: 'security_read',
  input: z.object({ security_ticker: textSchema(64), security_type_id: codeSchema }),
  output: securitySchema,
});

export const listSecurityTypes = defineEndpoint({
  name: 'listSecurityTypes',
  method: 'GET',
  path: '/securities/types',
  permission: 'security_read',
  input: z.object({ category: textSchema(64).default('default') }),
  output: z.array(securityTypeSchema),
});
