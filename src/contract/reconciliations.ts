import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { dateFilterSchema, idSchema, instantSchema } from './wire.ts';

/** `NO_SNAPSHOT`: no balance was reported that the transactions could be compared with. */
export const reconciliationStatuses = ['RECONCILED', 'UNRECONCILED', 'NO_SNAPSHOT'] as const;
export type ReconciliationStatus = (typeof reconciliationStatuses)[number];

/** One security of an account that does not tie out. Quantities in its unit and US dollars, as decimals in text; null is not known. */
export const accountBreakSchema = z.object({
  security_id: idSchema.nullable(),
  ticker: z.string(),
  reported: z.string().nullable(),
  computed: z.string(),
  difference: z.string(),
  difference_usd: z.string().nullable(),
});
export type AccountBreak = z.infer<typeof accountBreakSchema>;

/**
 * An account whose reported balances are not known to be what its transactions come to, as of the newest day up to the one asked for on
 * which that was worked out; `status` and `end_date` are null where it never was. `difference_usd` adds its breaks' up, without signs.
 */
export const unreconciledAccountSchema = z.looseObject({
  account_id: idSchema,
  account_name: z.string(),
  custodian_name: z.string(),
  status: z.enum(reconciliationStatuses).nullable(),
  end_date: z.string().nullable(),
  last_snapshot_at: instantSchema.nullable(),
  difference_usd: z.string().nullable(),
  breaks: z.array(accountBreakSchema),
});
export type UnreconciledAccount = z.infer<typeof unreconciledAccountSchema>;

/** The accounts of an entity that do not tie out at the end of a day, those with the most money at stake first. */
export const listUnreconciledAccounts = defineEndpoint({
  name: 'listUnreconciledAccounts',
  method: 'GET',
  path: '/entities/:id/unreconciled_accounts_summary',
  permission: 'account_read',
  input: z.object({ id: idSchema, end_date: dateFilterSchema }),
  output: z.array(unreconciledAccountSchema),
});
