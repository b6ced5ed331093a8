import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { decimalSchema, idSchema, pageFields } from './wire.ts';

/** How many automated accounts that are active were last updated on a day in UTC; null is never. */
export const updatedAccountsSchema = z.object({ day: z.string().nullable(), accounts: z.number().int() });
export type UpdatedAccounts = z.infer<typeof updatedAccountsSchema>;

/** What there is to do for one entity, whose id it bears, as the server counts it. Amounts in US dollars, of what has a price. */
export const entityWorklistSchema = z.looseObject({
  id: idSchema,
  client_id: idSchema,
  /** By how much active accounts do not tie out, over or under. */
  unreconciled_usd: decimalSchema,
  pending_matches: z.number().int(),
  /** What left, or where nothing did what came, in matches that wait for a decision. */
  pending_usd: decimalSchema,
  unpriced: z.number().int(),
  unidentified: z.number().int(),
  /** Of unidentified rows that are in no such match. */
  unidentified_usd: decimalSchema,
  failed_syncs: z.number().int(),
  updated_accounts: z.array(updatedAccountsSchema),
  version: z.number().int(),
});
export type EntityWorklist = z.infer<typeof entityWorklistSchema>;

/** What there is to do for each entity one may see. Only for who may read all it is counted from. */
export const listEntityWorklists = defineEndpoint({
  name: 'listEntityWorklists',
  method: 'GET',
  path: '/entity_worklists',
  permission: 'account_read',
  input: z.object({ client_id: idSchema.optional(), ...pageFields(500) }),
  output: z.array(entityWorklistSchema),
  paging: { by: 'skip', limit: 500 },
});
