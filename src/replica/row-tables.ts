import type { Segment } from '#columns/segments.ts';
import type { ArchivedAsset } from '#contract/archived-assets.ts';
import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import type { Organization } from '#contract/organizations.ts';
import type { SavedView } from '#contract/saved-views.ts';
import type { Security } from '#contract/securities.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { ValueHistory } from '#contract/value-histories.ts';
import type { User } from '#contract/users.ts';
import type { PullRow } from './pulls.ts';
import type { Store, StoreSchema } from './store.ts';

/**
 * Changes when what is stored can no longer be read as it is: a new epoch is a new database, filled anew from the server.
 * A further table or index is a version step below, which keeps everything that is held.
 */
export const replicaEpoch = 1;

/**
 * What the replica adds to a server row: the scope it was pulled for, how many lists of it in a row lacked the row, when the list in pages
 * was begun that had it last, and which answer of the feed, as they are counted, told of it.
 */
export interface Scoped {
  _scope: string;
  _missed?: number;
  _swept?: number;
  _told?: number;
}

/**
 * The hot tier of a partition, or one of its text columns; or, as the partition `namesAt`, what the codes of all partitions stand for, which
 * only sealing changes.
 */
export interface SegmentRecord {
  noun: string;
  set: string;
  partition: number;
  tier: 'hot' | `text ${string}` | 'names';
  segment: unknown;
  /** Of `names`, where no older build wrote them; the others have it within. */
  checksum?: number;
}

/** No partition has this number. */
export const namesAt = -1;

/** Some full rows by running number, packed; of an older build as text. Never rewritten, so a row's place stays good. */
export interface ColdRecord {
  noun: string;
  set: string;
  no: number;
  rows: Uint8Array<ArrayBuffer> | string;
}

/** What is known of a segment without reading it; times in milliseconds. */
export type StoredPartition = Pick<Segment, 'partition' | 'rows' | 'newest' | 'oldest'>;

/** What is stored of a set. It is written with every page, so it is kept small. */
export interface ManifestRecord {
  noun: string;
  set: string;
  format: string;
  partitions: StoredPartition[];
  /** What the codes stand for, where an older build wrote it here. */
  dictionaries?: unknown;
  /** The number of the first cold record; absent where none were dropped so far: 0. */
  first_no?: number;
  /** Cold records below this number are in the segments; the others make up the delta. */
  sealed_below: number;
  rev: number;
}

/** How many rows of a set are held, by the scope they are of. Written with them, so that a pull that begins anew knows of those before it. */
export interface CountsRecord {
  noun: string;
  set: string;
  rows: Record<string, number>;
}

/** A name and its value. */
export interface KeptRecord {
  k: string;
  value: unknown;
}

/**
 * A row that went, so that an answer asked for before does not bring it back: one of this version or an older one is as good as gone.
 * Only servers that number their versions and tell of deletions have any.
 */
export interface GoneRecord {
  noun: string;
  id: string;
  version: number;
  /** When it was told, UTC milliseconds: kept for longer than any answer is on its way. */
  at: number;
  /** It was once found to be old enough to be forgotten, and `at` is when: a clock that was put right makes all old at once. */
  is_old?: true;
}

/** The nouns kept a row per record. */
interface NounTables {
  organizations: Organization;
  clients: Client;
  entities: Entity;
  archived_assets: ArchivedAsset;
  accounts: Account;
  custodians: Custodian;
  securities: Security;
  transaction_matches: TransactionMatch;
  saved_views: SavedView;
  entity_worklists: EntityWorklist;
  value_histories: ValueHistory;
  users: User;
}
export type RowNoun = keyof NounTables;

/** Each of them, so that none can be left out. */
const every: Record<RowNoun, true> = {
  organizations: true,
  clients: true,
  entities: true,
  archived_assets: true,
  accounts: true,
  custodians: true,
  securities: true,
  transaction_matches: true,
  saved_views: true,
  entity_worklists: true,
  value_histories: true,
  users: true,
};
export const rowNouns = Object.keys(every) as RowNoun[];

/** Everything in a user's copy of the server's rows. */
export type RowTables = { [N in RowNoun]: { row: NounTables[N] & Scoped; key: string } } & {
  segments: { row: SegmentRecord; key: readonly [string, string, number, string] };
  cold: { row: ColdRecord; key: readonly [string, string, number] };
  manifests: { row: ManifestRecord; key: readonly [string, string] };
  counts: { row: CountsRecord; key: readonly [string, string] };
  pulls: { row: PullRow; key: readonly [string, string] };
  meta: { row: KeptRecord; key: string };
  gone: { row: GoneRecord; key: readonly [string, string] };
};

/** The browser's disposable copy of the server's rows for one user. */
export type RowStore = Store<RowTables>;

/** @param epoch another build's, to let go of it: how its tables are only that build knows. */
export function rowSchema(userKey: string, epoch = replicaEpoch): StoreSchema {
  return {
    name: replicaName(userKey, epoch),
    durability: 'relaxed',
    versions: [
      {
        organizations: '&id, _scope',
        clients: '&id, _scope, organization_id, client_name',
        entities: '&id, _scope, client_id, entity_name',
        accounts: '&id, _scope, client_id, entity_id, custodian_id',
        custodians: '&id, _scope, custodian_name',
        securities: '&id, _scope, ticker',
        transaction_matches: '&id, _scope, entity_id, out_trx_id, in_trx_id, [entity_id+state]',
        segments: '&[noun+set+partition+tier], [noun+set]',
        cold: '&[noun+set+no]',
        manifests: '&[noun+set]',
        pulls: '&[scope+noun], noun',
        meta: '&k',
      },
      { saved_views: '&id, _scope' },
      { gone: '&[noun+id], at' },
      { entity_worklists: '&id, _scope', value_histories: '&id, _scope' },
      { users: '&id, _scope' },
      { archived_assets: '&id, _scope, client_id' },
      { counts: '&[noun+set]' },
    ],
  };
}

export function replicaName(userKey: string, epoch = replicaEpoch): string {
  return `tieout-replica-${userKey}-e${epoch}`;
}

/** Of which epoch a user's copy of the server's rows is, by its name; null where the database is none of theirs, or something else. */
export function epochOf(name: string, userKey: string): number | null {
  const epoch = Number(name.split('-e').at(-1));
  return Number.isSafeInteger(epoch) && name === replicaName(userKey, epoch) ? epoch : null;
}
