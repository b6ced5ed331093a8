import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { RemovalReason } from '#contract/devices.ts';
import { createdAt, moment } from './column-types.ts';
import { users } from './users.ts';

/** Who a person is at an identity provider. */
export const userIdentities = pgTable(
  'user_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    created_at: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index('user_identities_by_user').on(table.user_id)],
);

/** Sign-ins at an identity provider that are under way. What proves them is kept as SHA-256 only. */
export const oauthAttempts = pgTable(
  'oauth_attempts',
  {
    state_hash: text('state_hash').primaryKey(),
    /** Of the secret the browser that began it has in a cookie. */
    browser_hash: text('browser_hash').notNull(),
    code_verifier: text('code_verifier').notNull(),
    nonce: text('nonce').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (table) => [index('oauth_attempts_by_expiry').on(table.expires_at)],
);

/** One sign-in; its tokens come and go in `session_tokens`. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    started_at: moment('started_at').notNull(),
    revoked_at: moment('revoked_at'),
    /** The device it is on, as that said; null where none did. */
    browser: text('browser'),
    device_id: text('device_id'),
  },
  (table) => [index('sessions_by_user').on(table.user_id)],
);

/** Tokens are kept as SHA-256 only, so a copy of the database opens no session. */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    hash: text('hash').primaryKey(),
    session_id: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'access' | 'refresh'>().notNull(),
    expires_at: moment('expires_at').notNull(),
    used_at: moment('used_at'),
  },
  (table) => [index('session_tokens_by_session').on(table.session_id), index('session_tokens_by_expiry').on(table.expires_at)],
);

/**
 * How a device of a person stood when it was heard of last. Of one browser there is one at a time: another one that was silent since is
 * what its databases were before they were cleared.
 */
export const devices = pgTable(
  'devices',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    browser: text('browser').notNull(),
    device_id: text('device_id').notNull(),
    /** How many edits waited on it. */
    pending: integer('pending').notNull(),
    began_at: moment('began_at').notNull(),
    heard_at: moment('heard_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.browser, table.device_id] }), index('devices_by_age').on(table.heard_at)],
);

/** Orders that what a device keeps of a person goes, and what became of them. */
export const deviceRemovals = pgTable(
  'device_removals',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    browser: text('browser').notNull(),
    device_id: text('device_id').notNull(),
    reason: text('reason').$type<RemovalReason>().notNull(),
    ordered_at: moment('ordered_at').notNull(),
    /** When the device said that it does so; null where it has not. */
    done_at: moment('done_at'),
    /** How many edits went unsent with it, and of which kinds, in words; null where nobody could tell. */
    lost_edits: integer('lost_edits'),
    lost_kinds: text('lost_kinds'),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.id] }),
    uniqueIndex('device_removals_open').on(table.user_id, table.browser, table.device_id).where(sql`done_at is null`),
  ],
);
