import { z } from 'zod';
import { decimalSchema, idSchema, instantSchema } from './wire.ts';

/** A security as one price source knows it, with its latest price in US dollars. */
export const securityMasterSchema = z.looseObject({
  id: idSchema,
  price_source_id: idSchema,
  security_name: z.string(),
  security_type_id: z.number().int(),
  ticker: z.string(),
  dart_security_id: z.string().nullable(),
  price: decimalSchema.nullable(),
  priced_at: instantSchema.nullable(),
  version: z.number(),
});
export type SecurityMasterRow = z.infer<typeof securityMasterSchema>;
