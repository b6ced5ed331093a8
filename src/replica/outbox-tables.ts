import type { MutationName } from '#contract/mutations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Fields } from './merge.ts';
import type { MutationState } from './mutation-states.ts';
import type { Store, StoreSchema } from './store.ts';

/** The format of an edit this build writes, and the newest it reads. */
export const outboxFormat = 1;

/** The row an edit was made on, as the person saw it. */
export interface EditBase {
  /** 0 where there was none, or where it was gone by the time its person kept their change of it. Null where it is not known: an earlier edit, not accepted yet, was to leave it, or another database is there since. */
  version: number | null;
  /** Which database the version is of; null where that is not known. Not on edits of older builds, nor where there was no row. */
  generation?: string | null;
  /** The fields the edit is compared by; null where there was no row. Of one that is gone they are as it was before. */
  fields: Fields | null;
}

/** A file that is sent with an edit, but for its bytes: those are kept apart. */
export interface EditFile {
  name: string;
  /** Its media type. */
  type: string;
  /** In bytes. */
  size: number;
}

/** Why an edit was not taken. */
export interface EditError {
  code: ErrorCode;
  detail: string;
  /** What the server said of fields of the input, by name. */
  fields?: Readonly<Record<string, string>>;
}

/** One edit that waits for the server. Written once, durably, before the screen shows it. */
export interface OutboxRow {
  /** Order of making, across all tabs of this browser. */
  seq: number;
  /** UUIDv7; also the idempotency key of every attempt. */
  id: string;
  /** Version of this row's format. */
  v: number;
  name: MutationName;
  input: unknown;
  lane: string;
  state: MutationState;
  attempts: number;
  /** How often the server failed at it since it was made, or tried anew by the person, and since when, UTC milliseconds. Absent where it never did. */
  failing?: { times: number; since: number };
  /** UTC milliseconds before which it is not tried again. */
  next_attempt_at: number;
  /** When its last attempt was over, UTC milliseconds. Absent before the first one, and where an older build made it. */
  tried_at?: number;
  created_at: number;
  /** What the edit is, in words, as the person saw it. */
  title: string;
  client_id: string | null;
  entity_id: string | null;
  /** An attempt of it may have reached the server without our knowing, and may even arrive later. */
  may_have_arrived?: boolean;
  /**
   * Of one that makes something and may have arrived at a server that keeps no keys: it was not found there and sent once more, or the
   * person was asked.
   */
  resent?: 'once' | 'asked';
  /** An attempt of it may have arrived at a server that keeps no keys. */
  is_unkeyed?: true;
  /** Not on edits of the first builds, nor where what the person saw is not known; then nothing is compared. */
  base?: EditBase;
  /** Fields that its person changed and that an edit before it came to leave the same: it says them still, should that one be let go of. */
  says?: readonly string[];
  /** Another row the edit rests on, as the person saw it, or was told of it; of no version where edits of their own lie over it. Absent where none does. */
  rests_on?: EditBase & {
    id: string;
    /** The person was told that it is another since; how it is nobody could say. */
    is_told?: true;
    /** As they saw it, where they were told of it since. */
    saw?: Fields | null;
  };
  /** The row as somebody else left it, while that is for the person to decide. */
  theirs?: EditBase;
  /** How often the person had it sent anew though it may have arrived: each time it is another change to the server. */
  again?: number;
  /** Edits, by id, that must be accepted first. */
  deps?: readonly string[];
  /** Edits, by id, that go first as long as they go on by themselves: they let go of the name this one takes. */
  after?: readonly string[];
  /** How often the person saved what it says, where it took the place of others; absent for once. */
  saves?: number;
  /** Its bytes are among the blobs, under the edit's id, until the edit is settled. */
  file?: EditFile;
  /** The build whose edit the server would not take. */
  paused_build?: string;
  /** Done without an answer to it: the row said so already, or what it deletes was gone. */
  is_met?: true;
  answer?: unknown;
  error?: EditError;
}

/** An edit that is settled, kept for a while to look up. */
export interface Receipt {
  i: number;
  id: string;
  /** Not on receipts of the first versions. */
  name?: MutationName;
  title: string;
  /** `replaced`: a later edit of the row said everything anew before this one had an effect. `theirs`: the person took what somebody else made of the row. */
  outcome: 'accepted' | 'discarded' | 'replaced' | 'theirs';
  /** Done without an answer to it: the row said so already, or what it deletes was gone. */
  is_met?: true;
  created_at: number;
  settled_at: number;
  detail: string | null;
  /** What the server answered, where the copy keeps no row of it. */
  answer?: unknown;
  /** Transactions an accepted edit touched, by id. Absent where it touched none, and on receipts of older builds. */
  touched?: readonly string[];
}

/** What a person typed into a form that was neither saved nor cancelled. */
export interface Draft {
  /** Which form it is, and which of several drafts of it. */
  form_key: string;
  /** The client and the entity it is about: it goes where those may no longer be seen. */
  client_id: string | null;
  entity_id: string | null;
  /** The fields that were changed, as the form holds them. */
  fields: Fields;
  /** What the form began with in these fields. */
  before: Fields;
  /** When it was typed, UTC milliseconds. */
  kept_at: number;
}

/** Everything in a user's outbox. */
export type OutboxTables = {
  mutations: { row: OutboxRow; key: number; auto: 'seq' };
  blobs: { row: { id: string; mutation_id: string; bytes?: Uint8Array<ArrayBuffer> }; key: string };
  receipts: { row: Receipt; key: number; auto: 'i' };
  drafts: { row: Draft; key: string };
  term: { row: { k: string; epoch: number }; key: string };
  marks: { row: { k: string; value: string | true }; key: string };
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
      { marks: '&k' },
    ],
  };
}
