import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { MatchState } from '#contract/transaction-codes.ts';
import { createdAt, moment, version } from './column-types.ts';
import { accounts, entities } from './places.ts';
import { custodianSecurities, securities } from './securities.ts';
import { users } from './users.ts';

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
    // a decision looks for all matches of its legs, also the refused ones
    index('transaction_matches_by_in').on(table.in_trx_id),
    uniqueIndex('transaction_matches_pair').on(table.out_trx_id, table.in_trx_id),
  ],
);
