import { sql } from 'drizzle-orm';
import { index, json, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, ownTransaction } from './column-types.ts';

/** The answer of each change by its key, written in the same transaction as the change. */
export const idempotency = pgTable(
  'idempotency',
  {
    user_id: uuid('user_id').notNull(),
    key: text('key').notNull(),
    request_hash: text('request_hash').notNull(),
    status: smallint('status'),
    // json, not jsonb: a repeated answer is the same text to the letter
    body: json('body'),
    /** The device that sent it, where it said so: its feed tells it what became of the change. */
    device_id: text('device_id'),
    xid: ownTransaction('xid'),
    created_at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.key] }),
    index('idempotency_by_age').on(table.created_at),
    index('idempotency_by_device').on(table.user_id, table.device_id, table.xid).where(sql`device_id is not null`),
  ],
);
