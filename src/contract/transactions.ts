import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { matchStates } from './transaction-codes.ts';
import {
  codeSchema,
  dateFilterSchema,
  decimalSchema,
  flagSchema,
  idSchema,
  instantSchema,
  largestPage,
  manyOrAllSchema,
  manySchema,
  pageFields,
} from './wire.ts';

export const matchStateSchema = z.enum(matchStates);

/** The most rows our server puts in one page; the specification's page is 100. */
export const transactionPage = { limit: 100, max: largestPage } as const;

/**
 * A transaction. `quantity` is positive, its sign follows from the type; amounts are exact decimals in the
 * security's unit, `price` and `usd_value` in US dollars; `trx_date` is UTC.
 */
export const transactionSchema = z.looseObject({
  id: idSchema,
  account_id: idSchema,
  entity_id: idSchema,
  custodian_id: idSchema,
  security_id: idSchema.nullable(),
  custodian_security_id: idSchema.nullable(),
  trx_type_id: z.number().int(),
  trx_date: instantSchema,
  quantity: decimalSchema,
  price: decimalSchema.nullable(),
  usd_value: decimalSchema.nullable(),
  fee_quantity: decimalSchema.nullable(),
  fee_security_id: idSchema.nullable(),
  fee_usd: decimalSchema.nullable(),
  tx_hash: z.string().nullable(),
  from_address: z.string().nullable(),
  to_address: z.string().nullable(),
  description: z.string().nullable(),
  trade_group_id: idSchema.nullable(),
  manual_trx: z.boolean(),
  updated_trx: z.boolean(),
  unpriced_trx: z.boolean(),
  is_unidentified: z.boolean(),
  match_state: matchStateSchema.nullable(),
  version: z.number().int(),
});
export type Transaction = z.infer<typeof transactionSchema>;

export const transactionListMessage = 'Give an account_id, or an entity_id with a start_date';

/** Newest first: `trx_date desc, id desc`. Otherwise oldest first: `trx_date, id`. Both dates are inclusive. */
export const listTransactions = defineEndpoint({
  name: 'listTransactions',
  method: 'GET',
  path: '/transactions',
  permission: 'transaction_read',
  input: z
    .object({
      account_id: manySchema(idSchema),
      entity_id: idSchema.optional(),
      start_date: dateFilterSchema.optional(),
      end_date: dateFilterSchema.optional(),
      security_id: manySchema(idSchema),
      custodian_security_ids: manySchema(idSchema),
      custodian_id: manyOrAllSchema(idSchema),
      trx_type_id: manyOrAllSchema(codeSchema),
      manual_trx: flagSchema.optional(),
      updated_trx: flagSchema.optional(),
      unpriced_trx: flagSchema.optional(),
      is_unidentified: flagSchema.optional(),
      newest_first: flagSchema.prefault(true),
      ...pageFields(transactionPage.limit, transactionPage.max),
    })
    .refine((query) => query.account_id ?? (query.entity_id && query.start_date), { error: transactionListMessage, path: ['account_id'] }),
  output: z.array(transactionSchema),
  paging: { by: 'date_keyset', limit: transactionPage.limit, date: 'trx_date' },
});

/** One transaction by id, optionally only if it is of a type or an account. An empty list when it is not to be seen. */
export const selectTransactions = defineEndpoint({
  name: 'selectTransactions',
  method: 'GET',
  path: '/transactions/select',
  permission: 'transaction_read',
  input: z.object({ trx_id: manySchema(idSchema), primary_trx_type_id: codeSchema.optional(), account_id: idSchema.optional() }),
  output: z.array(transactionSchema),
});

export const transactionTypeGroupSchema = z.object({
  id: z.number(),
  name: z.string(),
  types: z.array(z.object({ id: z.number(), name: z.string() })),
});

export const listTransactionTypeGroups = defineEndpoint({
  name: 'listTransactionTypeGroups',
  method: 'GET',
  path: '/transactions/types/groups',
  permission: 'transaction_read',
  input: z.object({}),
  output: z.array(transactionTypeGroupSchema),
});
