import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { matchStateSchema } from './transactions.ts';
import { countAnswerSchema, countSchema, decimalSchema, flagSchema, idSchema, largestPage, limitSchema } from './wire.ts';

export const matchKinds = ['transfer', 'matched_unidentified'] as const;

/** Two legs proposed or decided to be one transfer; one leg is null where only a single row was marked. */
export const transactionMatchSchema = z.looseObject({
  id: idSchema,
  entity_id: idSchema,
  kind: z.enum(matchKinds),
  state: matchStateSchema,
  out_trx_id: idSchema.nullable(),
  in_trx_id: idSchema.nullable(),
  quantity_difference: decimalSchema.nullable(),
  reason: z.string().nullable(),
  score: z.number().nullable(),
  source: z.enum(['engine', 'manual']),
  version: z.number().int(),
});
export type TransactionMatch = z.infer<typeof transactionMatchSchema>;

/** A transaction that a decision changed, as it left it: by this one change it came to its version. */
const changedTransactionSchema = z.object({ id: idSchema, version: z.number().int(), match_state: matchStateSchema.nullable() });

/** The match of a decision, and what else that changed; a server that tells no such thing leaves it out. */
const decidedMatchSchema = transactionMatchSchema.extend({ changed_transactions: z.array(changedTransactionSchema).optional() });
export type DecidedMatch = z.infer<typeof decidedMatchSchema>;

const matchFilterFields = { entity_id: idSchema, pending_matches_only: flagSchema.prefault(false) };

export const listTransactionMatches = defineEndpoint({
  name: 'listTransactionMatches',
  method: 'GET',
  path: '/transaction_matches',
  permission: 'transaction_match_read',
  input: z.object({ ...matchFilterFields, offset: countSchema(1_000_000_000).prefault(0), limit: limitSchema(largestPage).prefault(100) }),
  output: z.array(transactionMatchSchema),
  paging: { by: 'offset', limit: 100 },
});

export const countTransactionMatches = defineEndpoint({
  name: 'countTransactionMatches',
  method: 'GET',
  path: '/transaction_matches/count',
  permission: 'transaction_match_read',
  input: z.object(matchFilterFields),
  output: countAnswerSchema,
});

export const markTransferInputSchema = z.object({ trx_id: idSchema, counterpart_id: idSchema.nullable(), is_transfer: z.boolean() });
export type MarkTransferInput = z.infer<typeof markTransferInputSchema>;

/** Marks a transaction (and its counterpart, where there is one) as a transfer, or takes the mark away. */
export const markTransfer = defineEndpoint({
  name: 'markTransfer',
  method: 'PUT',
  path: '/transaction_matches/transfer',
  permission: 'transaction_match_write',
  input: markTransferInputSchema,
  output: decidedMatchSchema,
  // of the two legs the one the decision is about; that of a live match changes with its counterpart's
  ifMatch: { noun: 'transactions', id: 'trx_id' },
  // what somebody else decided about that one may have left this one as it was, and its amount is half of the decision
  restsOn: 'counterpart_id',
});
