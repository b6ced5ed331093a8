import { boolean, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, version } from './column-types.ts';
import { clients, custodians } from './places.ts';

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
