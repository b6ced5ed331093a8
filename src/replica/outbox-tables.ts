import type { MutationName } from '#contract/mutations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { MutationState } from './mutation-states.ts';
import type { Store, StoreSchema } from './store.ts';

/** One edit that waits for the server. Written once, durably, before the screen shows it. */
export interface OutboxRow {
  /** Order of making, across all tabs of this browser. */
  seq: number;
  /** UUIDv7; also the idempotency key of every attempt. */
  id: string;
  /** Version of this row's format. */
  v: 1;
  name: MutationName;
  input: unknown;
  lane: string;
  state: MutationState;
  attempts: number;
  /** UTC milliseconds before which it is not tried again. */
  next_attempt_at: number;
  created_at: number;
  /** What the edit is, in words, as the person saw it. */
  title: string;
  client_id: string | null;
  entity_id: string | null;
  /** An attempt of it may have reached the server without our knowing, and may even arrive later. */
  may_have_arrived?: boolean;
  answer?: unknown;
  error?: { code: ErrorCode; detail: string };
}

/** An edit that is settled, kept for a while to look up. */
export interface Receipt {
  i: number;
  id: string;
  /** Not on receipts of the first versions. */
  name?: MutationName;
  title: string;
  /** `replaced`: a later edit of the row said everything anew before this one was sent. */
  outcome: 'accepted' | 'discarded' | 'replaced';
  created_at: number;
  settled_at: number;
  detail: string | null;
}

/** Everything in a user's outbox. */
export type OutboxTables = {
  mutations: { row: OutboxRow; key: number; auto: 'seq' };
  blobs: { row: { id: string; mutation_id: string }; key: string };
  receipts: { row: Receipt; key: number; auto: 'i' };
  drafts: { row: { form_key: string; value: unknown }; key: string };
  term: { row: { k: string; epoch: number }; key: string };
};

/** One user's outbox: tiny, strictly durable, in a format that lives long. No code deletes it without the user's decision. */
export type OutboxStore = Store<OutboxTables>;

export function outboxSchema(userKey: string): StoreSchema {
  return {
    name: `tieout-outbox-${userKey}`,
    durability: 'strict',
    versions: [
      {
        mutations: '++seq, &id, lane, state, [state+next_attempt_at]',
        blobs: '&id, mutation_id',
        receipts: '++i, id',
        drafts: '&form_key',
        term: '&k',
      },
    ],
  };
}
