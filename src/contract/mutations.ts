import type { Endpoint } from './endpoint.ts';
import { type MarkTransferInput, markTransfer } from './transaction-matches.ts';

/** The replicated nouns an edit can touch. */
export type EditedNoun = 'transactions' | 'transaction_matches';

/** All an outbox row's name stands for. */
export interface Mutation<Input> {
  endpoint: Endpoint;
  /** Edits of one lane replay one after another; lanes do not wait for each other. */
  lane: (input: Input) => string;
  /** The noun whose row the answer is. */
  answers: EditedNoun;
  /** Rows of other nouns the edit changes at the server, to be read back once it is accepted. */
  touches: (input: Input) => { noun: EditedNoun; ids: string[] }[];
}

/**
 * The edits that may wait in the outbox, by name. An outbox row holds a name and an input; the contract gives the rest,
 * so a new edit is one line here and never a change of the replay.
 */
export const mutations = {
  markTransfer: {
    endpoint: markTransfer,
    lane: (input) => `trx:${input.trx_id}`,
    answers: 'transaction_matches',
    touches: (input) => [{ noun: 'transactions', ids: [input.trx_id, ...(input.counterpart_id === null ? [] : [input.counterpart_id])] }],
  } satisfies Mutation<MarkTransferInput>,
};

export type MutationName = keyof typeof mutations;
export type MutationInput<N extends MutationName> = Parameters<(typeof mutations)[N]['lane']>[0];
