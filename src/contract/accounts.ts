import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { reconciliationStatuses } from './reconciliations.ts';
import { decimalSchema, flagSchema, idSchema, pageFields } from './wire.ts';

/** Account integration types by number (section 3): 1 to 3 are automated, 4 to 7 kept by hand. */
export const integrationTypes = {
  1: 'Exchange',
  2: 'Blockchain',
  3: 'Bank',
  4: 'Manual digital assets',
  5: 'Manual liquid assets',
  6: 'Manual traditional securities',
  7: 'Manual SAFTs',
} as const;

/** Account type codes by number (section 3). */
export const accountTypes = { 1: 'Traditional', 2: 'DeFi', 3: 'Blockchain', 4: 'Mapping', 5: 'SFTP' } as const;

/** How the last fetch from an account's source ended. @source specification section 4, processing statuses */
export const syncStatuses = ['SYNCED', 'SYNC_ERROR'] as const;
export type SyncStatus = (typeof syncStatuses)[number];

export const accountSchema = z.looseObject({
  id: idSchema,
  account_name: z.string(),
  client_id: idSchema,
  entity_id: idSchema,
  custodian_id: idSchema,
  parent_account_id: idSchema.nullable(),
  account_integration_type_id: z.number(),
  account_type_id: z.number(),
  blockchain: z.string().nullable(),
  address: z.string().nullable(),
  is_inactive: z.boolean(),
  last_update: z.string().nullable(),
  /** In US dollars, when it was valued last; null or absent while it never was. */
  value_usd: decimalSchema.nullish(),
  /** Of the newest day it was compared on; null or absent while it never was. */
  reconciliation_status: z.enum(reconciliationStatuses).nullish(),
  sync_status: z.enum(syncStatuses).nullish(),
  version: z.number(),
});
export type Account = z.infer<typeof accountSchema>;

export const accountListMessage = 'Give an entity_id, a client_id or a custodian_id';

export const listAccounts = defineEndpoint({
  name: 'listAccounts',
  method: 'GET',
  path: '/accounts',
  permission: 'account_read',
  input: z
    .object({
      client_id: idSchema.optional(),
      custodian_id: idSchema.optional(),
      entity_id: idSchema.optional(),
      exclude_sub_accounts: flagSchema.prefault(false),
      is_inactive: flagSchema.prefault(false),
      ...pageFields(500),
    })
    .refine((query) => query.client_id ?? query.custodian_id ?? query.entity_id, { error: accountListMessage, path: ['entity_id'] }),
  output: z.array(accountSchema),
  paging: { by: 'skip', limit: 500 },
});

export const getAccount = defineEndpoint({
  name: 'getAccount',
  method: 'GET',
  path: '/accounts/:id',
  permission: 'account_read',
  input: z.object({ id: idSchema }),
  output: accountSchema,
});
