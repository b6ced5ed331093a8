import { z } from 'zod';
import { decimalSchema, idSchema, instantSchema } from './wire.ts';

/** What a custodian reported an account to hold of one security at a moment. Amounts are in the security's unit and in US dollars. */
export const balanceSnapshotSchema = z.looseObject({
  id: idSchema,
  account_id: idSchema,
  entity_id: idSchema,
  custodian_security_id: idSchema.nullable(),
  security_id: idSchema.nullable(),
  as_of: instantSchema,
  quantity: decimalSchema,
  price: decimalSchema.nullable(),
  usd_value: decimalSchema.nullable(),
  /** The balance an account's books begin with. */
  initial_balance: z.boolean(),
  version: z.number(),
});
export type BalanceSnapshot = z.infer<typeof balanceSnapshotSchema>;
