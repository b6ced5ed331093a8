import { boolean, foreignKey, index, integer, jsonb, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, deletedAt, moment, version } from './column-types.ts';

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
