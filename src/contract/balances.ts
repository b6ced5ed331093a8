import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { decimalSchema, flagSchema, idSchema, instantSchema } from './wire.ts';

/**
 * What an entity holds of one security by its transactions, valued at the price its transactions say last. Quantity in
 * the security's unit; `price` and `usd_volume` in US dollars, null where no transaction says a price.
 */
export const entityBalanceSchema = z.looseObject({
  security_id: idSchema,
  ticker: z.string(),
  security_name: z.string(),
  quantity: decimalSchema,
  price: decimalSchema.nullable(),
  price_at: instantSchema.nullable(),
  usd_volume: decimalSchema.nullable(),
  /** Whether the client keeps the asset aside, as spam or otherwise; null where it does not. */
  archived: z.enum(['archived', 'spam']).nullable(),
});
export type EntityBalance = z.infer<typeof entityBalanceSchema>;

/** What an entity holds, the largest value first. What its client archived is left out unless asked for, and so is what nobody identified. */
export const listEntityBalances = defineEndpoint({
  name: 'listEntityBalances',
  method: 'GET',
  path: '/entities/:id/balances',
  permission: 'account_read',
  input: z.object({ id: idSchema, include_archived: flagSchema.prefault(false) }),
  output: z.array(entityBalanceSchema),
});
