import { date, integer, jsonb, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { AccountBreak, ReconciliationStatus } from '#contract/reconciliations.ts';
import type { SyncStatus } from '#contract/accounts.ts';
import { moment, version } from './column-types.ts';
import { accounts, entities } from './places.ts';

/** What an account was worth when it was valued last, in US dollars; what has no price counts nothing. */
export const accountValues = pgTable('account_values', {
  account_id: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id),
  as_of: moment('as_of').notNull(),
  value_usd: numeric('value_usd').notNull(),
  /** Balances without a price. */
  unpriced: integer('unpriced').notNull().default(0),
});

/** What an entity was worth at the end of a day in UTC, in US dollars. */
export const entityValues = pgTable(
  'entity_values',
  {
    entity_id: uuid('entity_id')
      .notNull()
      .references(() => entities.id),
    day: date('day', { mode: 'string' }).notNull(),
    value_usd: numeric('value_usd').notNull(),
  },
  (table) => [primaryKey({ columns: [table.entity_id, table.day] })],
);

/** Whether the reported balances of an account are what its transactions come to, at the end of a day in UTC. */
export const accountReconciliations = pgTable(
  'account_reconciliations',
  {
    account_id: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    end_date: date('end_date', { mode: 'string' }).notNull(),
    status: text('status').$type<ReconciliationStatus>().notNull(),
    last_snapshot_at: moment('last_snapshot_at'),
    /** Each security that does not tie out: quantities and US dollars as decimals in text. */
    breaks: jsonb('breaks').$type<AccountBreak[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.end_date] })],
);

/** How the last fetch of an account's rows from its source ended. */
export const accountSyncs = pgTable('account_syncs', {
  account_id: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id),
  at: moment('at').notNull(),
  status: text('status').$type<SyncStatus>().notNull(),
  /** What the source said where it failed; never a secret. */
  error: text('error'),
});

/**
 * One row per entity, for its version alone: it grows, by triggers, with whatever the entity's worklist is counted from, so that the feed
 * tells of it. What is counted is counted when it is read, and so never drifts.
 */
export const entityWorklists = pgTable('entity_worklists', {
  id: uuid('id')
    .primaryKey()
    .references(() => entities.id),
  version: version(),
});

/** The same for what an entity was worth, over time and by kind of account. */
export const valueHistories = pgTable('value_histories', {
  id: uuid('id')
    .primaryKey()
    .references(() => entities.id),
  version: version(),
});
