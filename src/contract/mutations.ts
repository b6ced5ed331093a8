import type { Endpoint } from './endpoint.ts';
import { type DeleteViewInput, deleteView, type SaveViewInput, saveView } from './saved-views.ts';
import { type MarkTransferInput, markTransfer } from './transaction-matches.ts';

/** The replicated nouns an edit can touch. */
export type EditedNoun = 'transactions' | 'transaction_matches' | 'saved_views';

/** All an outbox row's name stands for. */
export interface Mutation<Input> {
  endpoint: Endpoint;
  /** Edits of one lane replay one after another; lanes do not wait for each other. */
  lane: (input: Input) => string;
  /** The noun, kept a row per record, whose row the answer is, or whose row is gone. */
  answers: Exclude<EditedNoun, 'transactions'>;
  /** Rows the edit makes, changes or removes; those of nouns kept as columns are read back once it is accepted. */
  touches: (input: Input) => { noun: EditedNoun; ids: string[] }[];
  /** The row that is no more once the edit is accepted. Without it the answer is the row as it is now. */
  removes?: (input: Input) => string;
  /** The edit says all there is to say of its lane's row: earlier ones of the lane that were not sent give way to it. */
  isWhole?: true;
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
  saveView: {
    endpoint: saveView,
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    isWhole: true,
  } satisfies Mutation<SaveViewInput>,
  deleteView: {
    endpoint: deleteView,
    lane: ({ id }) => `view:${id}`,
    answers: 'saved_views',
    touches: ({ id }) => [{ noun: 'saved_views', ids: [id] }],
    removes: ({ id }) => id,
    isWhole: true,
  } satisfies Mutation<DeleteViewInput>,
};

export type MutationName = keyof typeof mutations;
export type MutationInput<N extends MutationName> = Parameters<(typeof mutations)[N]['lane']>[0];

/** What a name stands for, where the input comes with the name from the outbox and is not known apart from it. */
export function mutationNamed(name: MutationName): Mutation<unknown> {
  return mutations[name] as Mutation<never> as Mutation<unknown>;
}
