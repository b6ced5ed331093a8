import { sql } from 'drizzle-orm';
import { bigint, bigserial, boolean, check, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { FeedNoun } from '#contract/feed.ts';
import { ownTransaction, transactionNumber } from './column-types.ts';

/**
 * What changed, in the order of (xid, seq), written by triggers in the transaction of the change. The scope is the client's key,
 * but for what is one person's alone: `user:<id>`. The place is what says who may learn of it: the entity of an account, a
 * transaction or a match, the client of an entity and its figures, the organization of a client, the person of a view.
 */
export const changeLog = pgTable(
  'change_log',
  {
    xid: ownTransaction('xid'),
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    scope: text('scope').notNull(),
    place: uuid('place'),
    noun: text('noun').$type<FeedNoun>().notNull(),
    row_id: uuid('row_id').notNull(),
    op: text('op').$type<'put' | 'del'>().notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  // a page is a range of this index in each scope
  (table) => [primaryKey({ columns: [table.scope, table.xid, table.seq] })],
);

/** One row: which database this is, and the last place in the log that is no longer held. */
export const feedState = pgTable(
  'feed_state',
  {
    is_only: boolean('is_only').primaryKey().default(true),
    server_gen: uuid('server_gen').notNull().defaultRandom(),
    floor_xid: transactionNumber('floor_xid').notNull().default('0'),
    floor_seq: bigint('floor_seq', { mode: 'number' }).notNull().default(0),
    /** The cluster, and in it the database and the table of the log, that the numbers of its transactions are of. Null where nobody noted it. */
    cluster: text('cluster'),
    place: text('place'),
  },
  (table) => [check('feed_state_is_one', sql`${table.is_only}`)],
);
