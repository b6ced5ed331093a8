import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { FeedNoun } from '#contract/feed.ts';
import type { TaskKind, TaskStatus } from '#contract/jobs.ts';
import type { AccountBreak, ReconciliationStatus } from '#contract/reconciliations.ts';
import type { SyncStatus } from '#contract/accounts.ts';
import type { ViewedList } from '#contract/saved-views.ts';
import type { TicketPriority } from '#contract/tickets.ts';
import type { MatchState } from '#contract/transactions.ts';
import type { ImageKind } from '#domain/image-kinds.ts';

/** A moment to the millisecond: what JavaScript can hold, so a cursor never falls between two rows. */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
/** Grows by one with every change of the row. */
const version = () => bigint('version', { mode: 'number' }).notNull().default(1);
/** The number of a database transaction, as text: it outgrows what JavaScript counts exactly. */
const transactionNumber = customType<{ data: string }>({ dataType: () => 'xid8' });
const ownTransaction = (name: string) => transactionNumber(name).notNull().default(sql`pg_current_xact_id()`);
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const createdAt = () => moment('created_at').notNull().defaultNow();
/** Deleted is out of everybody's sight, and nothing else: what was booked under it stays in the database. */
const deletedAt = () => moment('deleted_at');

export const organizations = pgTable('organizations', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  settings: jsonb('settings').notNull().default({}),
  version: version(),
  created_at: createdAt(),
  deleted_at: deletedAt(),
});

export const clients = pgTable(
  'clients',
  {
    id: uuid('id').primaryKey(),
    organization_id: uuid('organization_id')
      .notNull()
      .references(() => organizations.id),
    client_name: text('client_name').notNull(),
    version: version(),
    created_at: createdAt(),
    deleted_at: deletedAt(),
  },
  (table) => [index('clients_by_organization').on(table.organization_id)],
);

export const accountingSystems = pgTable('accounting_systems', { id: integer('id').primaryKey(), name: text('name').notNull() });

/** The order in which Titan takes a holding's lots when some of it is sold. */
export const allocationMethods = pgTable('allocation_methods', { id: integer('id').primaryKey(), name: text('name').notNull() });

export const entities = pgTable(
  'entities',
  {
    id: uuid('id').primaryKey(),
    client_id: uuid('client_id')
      .notNull()
      .references(() => clients.id),
    entity_name: text('entity_name').notNull(),
    entity_type_id: integer('entity_type_id'),
    portfolio_id: text('portfolio_id'),
    fund_id: text('fund_id'),
    state: text('state'),
    city: text('city'),
    zip_code: text('zip_code'),
    country: text('country'),
    accounting_system_id: integer('accounting_system_id').references(() => accountingSystems.id),
    allocation_method_id: integer('allocation_method_id').references(() => allocationMethods.id),
    active: boolean('active').notNull().default(true),
    last_update: moment('last_update'),
    version: version(),
    created_at: createdAt(),
    deleted_at: deletedAt(),
  },
  (table) => [index('entities_by_client').on(table.client_id)],
);

export const custodianTypes = pgTable('custodian_types', {
  id: integer('id').primaryKey(),
  custodian_type_name: text('custodian_type_name').notNull(),
});

export const custodians = pgTable('custodians', {
  id: uuid('id').primaryKey(),
  custodian_name: text('custodian_name').notNull(),
  custodian_type_id: integer('custodian_type_id')
    .notNull()
    .references(() => custodianTypes.id),
  active: boolean('active').notNull().default(true),
  version: version(),
});

export const securityTypes = pgTable('security_types', {
  id: integer('id').primaryKey(),
  security_type_name: text('security_type_name').notNull(),
});

export const securities = pgTable(
  'securities',
  {
    id: uuid('id').primaryKey(),
    security_name: text('security_name').notNull(),
    security_type_id: integer('security_type_id')
      .notNull()
      .references(() => securityTypes.id),
    ticker: text('ticker').notNull(),
    dart_security_id: text('dart_security_id'),
    version: version(),
  },
  (table) => [uniqueIndex('securities_by_ticker').on(table.ticker, table.security_type_id)],
);

/** What a custodian calls a security. `security_id` is null while nobody has said what it is. */
export const custodianSecurities = pgTable(
  'custodian_securities',
  {
    id: uuid('id').primaryKey(),
    custodian_id: uuid('custodian_id')
      .notNull()
      .references(() => custodians.id),
    symbol: text('symbol').notNull(),
    security_id: uuid('security_id').references(() => securities.id),
    version: version(),
  },
  (table) => [unique('custodian_securities_by_symbol').on(table.custodian_id, table.symbol)],
);

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey(),
    entity_id: uuid('entity_id')
      .notNull()
      .references(() => entities.id),
    custodian_id: uuid('custodian_id')
      .notNull()
      .references(() => custodians.id),
    parent_account_id: uuid('parent_account_id'),
    account_name: text('account_name').notNull(),
    account_integration_type_id: smallint('account_integration_type_id').notNull(),
    account_type_id: smallint('account_type_id').notNull(),
    blockchain: text('blockchain'),
    address: text('address'),
    /** Currency of a bank account's statements, as a ticker. */
    currency: text('currency'),
    is_inactive: boolean('is_inactive').notNull().default(false),
    last_update: moment('last_update'),
    version: version(),
    created_at: createdAt(),
  },
  (table) => [
    index('accounts_by_entity').on(table.entity_id),
    index('accounts_by_custodian').on(table.custodian_id),
    unique('accounts_place').on(table.id, table.entity_id, table.custodian_id),
    foreignKey({ name: 'accounts_parent', columns: [table.parent_account_id], foreignColumns: [table.id] }),
  ],
);

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

/** Securities a client does not want to see any more: kept aside, or nothing but spam. */
export const archivedAssets = pgTable(
  'archived_assets',
  {
    id: uuid('id').primaryKey(),
    client_id: uuid('client_id')
      .notNull()
      .references(() => clients.id),
    security_id: uuid('security_id')
      .notNull()
      .references(() => securities.id),
    is_spam: boolean('is_spam').notNull(),
    version: version(),
    created_at: createdAt(),
  },
  (table) => [unique('archived_assets_by_security').on(table.client_id, table.security_id)],
);

/** Imported rows as they came: append-only; a changed row is a new version that supersedes the older one. */
export const rawData = pgTable(
  'raw_data',
  {
    id: uuid('id').primaryKey(),
    account_id: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    source: text('source').notNull(),
    parser_version: integer('parser_version').notNull(),
    natural_key: text('natural_key').notNull(),
    content_hash: text('content_hash').notNull(),
    supersedes: uuid('supersedes'),
    file_name: text('file_name'),
    row_number: integer('row_number'),
    payload: jsonb('payload').notNull(),
    status: text('status').notNull(),
    error: text('error'),
    created_at: createdAt(),
  },
  (table) => [
    unique('raw_data_content').on(table.account_id, table.natural_key, table.content_hash),
    index('raw_data_by_account').on(table.account_id, table.created_at, table.id),
  ],
);

export const transactions = pgTable(
  'transactions',
  {
    id: uuid('id').primaryKey(),
    account_id: uuid('account_id').notNull(),
    entity_id: uuid('entity_id').notNull(),
    custodian_id: uuid('custodian_id').notNull(),
    security_id: uuid('security_id').references(() => securities.id),
    custodian_security_id: uuid('custodian_security_id').references(() => custodianSecurities.id),
    trx_type_id: smallint('trx_type_id').notNull(),
    trx_date: moment('trx_date').notNull(),
    quantity: numeric('quantity').notNull(),
    price: numeric('price'),
    usd_value: numeric('usd_value'),
    fee_quantity: numeric('fee_quantity'),
    fee_security_id: uuid('fee_security_id'),
    fee_usd: numeric('fee_usd'),
    tx_hash: text('tx_hash'),
    from_address: text('from_address'),
    to_address: text('to_address'),
    description: text('description'),
    trade_group_id: uuid('trade_group_id'),
    manual_trx: boolean('manual_trx').notNull().default(false),
    updated_trx: boolean('updated_trx').notNull().default(false),
    unpriced_trx: boolean('unpriced_trx').notNull().default(false),
    is_unidentified: boolean('is_unidentified').notNull().default(false),
    match_state: text('match_state').$type<MatchState>(),
    natural_key: text('natural_key'),
    raw_data_id: uuid('raw_data_id').references(() => rawData.id),
    version: version(),
  },
  (table) => [
    // ascending, read backwards for newest first: a page at any depth is a range of the index
    index('transactions_by_entity').on(table.entity_id, table.trx_date, table.id),
    index('transactions_by_account').on(table.account_id, table.trx_date, table.id),
    // the worklist counts these by entity, and they are few
    index('transactions_unpriced').on(table.entity_id).where(sql`unpriced_trx`),
    index('transactions_unidentified').on(table.entity_id).where(sql`is_unidentified`),
    uniqueIndex('transactions_by_natural_key').on(table.account_id, table.natural_key).where(sql`natural_key is not null`),
    // entity and custodian are copies from the account; this key keeps them true
    foreignKey({
      name: 'transactions_place',
      columns: [table.account_id, table.entity_id, table.custodian_id],
      foreignColumns: [accounts.id, accounts.entity_id, accounts.custodian_id],
    }),
  ],
);

export const transactionMatches = pgTable(
  'transaction_matches',
  {
    id: uuid('id').primaryKey(),
    entity_id: uuid('entity_id')
      .notNull()
      .references(() => entities.id),
    kind: text('kind').$type<'transfer' | 'matched_unidentified'>().notNull(),
    state: text('state').$type<MatchState>().notNull(),
    out_trx_id: uuid('out_trx_id').references(() => transactions.id),
    in_trx_id: uuid('in_trx_id').references(() => transactions.id),
    quantity_difference: numeric('quantity_difference'),
    reason: text('reason'),
    score: integer('score'),
    source: text('source').$type<'engine' | 'manual'>().notNull(),
    decided_by: uuid('decided_by').references(() => users.id),
    decided_at: moment('decided_at'),
    version: version(),
    created_at: createdAt(),
  },
  (table) => [
    index('transaction_matches_by_entity').on(table.entity_id, table.id),
    index('transaction_matches_pending').on(table.entity_id).where(sql`state = 'PENDING'`),
    uniqueIndex('transaction_matches_out').on(table.out_trx_id).where(sql`state <> 'REJECTED'`),
    uniqueIndex('transaction_matches_in').on(table.in_trx_id).where(sql`state <> 'REJECTED'`),
    uniqueIndex('transaction_matches_pair').on(table.out_trx_id, table.in_trx_id),
  ],
);

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name'),
    password_hash: text('password_hash'),
    is_superuser: boolean('is_superuser').notNull().default(false),
    is_enabled: boolean('is_enabled').notNull().default(true),
    /** Grows, by triggers, whenever what the person may see or do changes. */
    perm_version: bigint('perm_version', { mode: 'number' }).notNull().default(1),
    version: version(),
    created_at: createdAt(),
  },
  (table) => [uniqueIndex('users_by_email').on(sql`lower(${table.email})`)],
);

export const roles = pgTable('roles', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  sees_whole_organization: boolean('sees_whole_organization').notNull(),
  permissions: text('permissions').array().notNull(),
});

export const organizationMembers = pgTable(
  'organization_members',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    organization_id: uuid('organization_id')
      .notNull()
      .references(() => organizations.id),
    role_id: text('role_id')
      .notNull()
      .references(() => roles.id),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.organization_id] })],
);

export const clientAssignments = pgTable(
  'client_assignments',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    client_id: uuid('client_id')
      .notNull()
      .references(() => clients.id),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.client_id] })],
);

export const entityAssignments = pgTable(
  'entity_assignments',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    entity_id: uuid('entity_id')
      .notNull()
      .references(() => entities.id),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.entity_id] })],
);

/** The one open invitation of a person to choose a password. Its token is kept as SHA-256 only. */
export const userInvitations = pgTable('user_invitations', {
  user_id: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  token_hash: text('token_hash').notNull().unique('user_invitations_by_token'),
  made_by: uuid('made_by')
    .notNull()
    .references(() => users.id),
  expires_at: moment('expires_at').notNull(),
  created_at: createdAt(),
});

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

/** A person's named views of a list: the query of its address under a name. The key begins with the person, so ids of two people never meet. */
export const savedViews = pgTable(
  'saved_views',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    id: uuid('id').notNull(),
    list: text('list').$type<ViewedList>().notNull(),
    name: text('name').notNull(),
    /** The name as two are compared. */
    name_key: text('name_key').notNull(),
    search: text('search').notNull(),
    version: version(),
    created_at: createdAt(),
    updated_at: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.id] }),
    unique('saved_views_by_name').on(table.user_id, table.list, table.name_key),
  ],
);

/** What people report to support. Its places are the organizations its writer was in then: that is how far it may be read. */
export const tickets = pgTable(
  'tickets',
  {
    id: uuid('id').primaryKey(),
    /** Its key counts on from this: SUP-1, SUP-2. */
    number: bigserial('number', { mode: 'number' }).notNull(),
    headline: text('headline').notNull(),
    description: text('description').notNull(),
    priority: text('priority').$type<TicketPriority>().notNull(),
    reporter: text('reporter').notNull(),
    status: text('status').notNull().default('Open'),
    /** Fields a caller added of its own. */
    extra: jsonb('extra').$type<Record<string, unknown>>().notNull().default({}),
    organization_ids: uuid('organization_ids').array().notNull(),
    created_by: uuid('created_by')
      .notNull()
      .references(() => users.id),
    created_at: createdAt(),
  },
  (table) => [
    unique('tickets_by_number').on(table.number),
    index('tickets_by_reporter').on(sql`lower(${table.reporter})`, table.number),
    check('tickets_priority', sql`${table.priority} in ('lowest', 'low', 'medium', 'high', 'highest')`),
  ],
);

/** The one screenshot a ticket may have. */
export const ticketAttachments = pgTable('ticket_attachments', {
  ticket_id: uuid('ticket_id')
    .primaryKey()
    .references(() => tickets.id),
  file_name: text('file_name').notNull(),
  mime_type: text('mime_type').$type<ImageKind>().notNull(),
  content: bytes('content').notNull(),
  created_by: uuid('created_by')
    .notNull()
    .references(() => users.id),
  created_at: createdAt(),
});

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

/**
 * Who changed what, written by triggers in the transaction of the change and never after. The places say who may read of it; a change
 * nobody signed in made, such as a migration's, has no person.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    seq: bigserial('seq', { mode: 'number' }).primaryKey(),
    at: timestamp('at', { withTimezone: true, precision: 3, mode: 'date' }).notNull().defaultNow(),
    user_id: uuid('user_id'),
    organization_id: uuid('organization_id'),
    client_id: uuid('client_id'),
    entity_id: uuid('entity_id'),
    noun: text('noun').notNull(),
    row_id: text('row_id').notNull(),
    action: text('action').$type<'create' | 'update' | 'delete'>().notNull(),
    /** The fields that differ, as they were and as they are; of a row made or deleted all of them. */
    before: jsonb('before').$type<Record<string, unknown> | null>(),
    after: jsonb('after').$type<Record<string, unknown> | null>(),
  },
  (table) => [
    index('audit_entries_by_organization').on(table.organization_id, table.seq),
    index('audit_entries_by_row').on(table.row_id, table.seq),
  ],
);

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
  },
  (table) => [check('feed_state_is_one', sql`${table.is_only}`)],
);

/** What the server does at set times, and how it went last. A row is held while its work is done: one server alone does it. */
export const cronJobs = pgTable('cron_jobs', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  job_type_id: smallint('job_type_id').notNull(),
  schedule: text('schedule').notNull(),
  next_run_at: moment('next_run_at').notNull(),
  last_started_at: moment('last_started_at'),
  last_ended_at: moment('last_ended_at'),
  last_outcome: text('last_outcome').$type<'DONE' | 'FAILED'>(),
  last_error: text('last_error'),
  job_count: integer('job_count').notNull().default(0),
});

/** Work that is done in the background, from when it is asked for until a month after it ended. */
export const workerTasks = pgTable(
  'worker_tasks',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<TaskKind>().notNull(),
    /** What it is about: accounts, reports or batches. */
    subject_ids: text('subject_ids').array().notNull(),
    /** What two tasks of a kind must not have in common while both are under way. */
    key: text('key').notNull(),
    /** Where it works, the innermost place told and those around it: who sees that whole may see it. */
    organization_id: uuid('organization_id').references(() => organizations.id),
    client_id: uuid('client_id').references(() => clients.id),
    entity_id: uuid('entity_id').references(() => entities.id),
    input: jsonb('input').notNull().default({}),
    status: text('status').$type<TaskStatus>().notNull(),
    /** Not before this is it begun. */
    run_at: moment('run_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The attempt under way: one that lost its task to another has no say any more. */
    attempt_id: uuid('attempt_id'),
    heartbeat_at: moment('heartbeat_at'),
    steps_done: integer('steps_done'),
    steps: integer('steps'),
    error: text('error'),
    created_by: uuid('created_by').references(() => users.id),
    created_at: createdAt(),
    started_at: moment('started_at'),
    ended_at: moment('ended_at'),
  },
  (table) => [
    uniqueIndex('worker_tasks_under_way').on(table.kind, table.key).where(sql`status in ('QUEUED', 'RUNNING')`),
    index('worker_tasks_by_status').on(table.status, table.run_at),
    index('worker_tasks_by_end').on(table.ended_at),
  ],
);
