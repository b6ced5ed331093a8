import { sql } from 'drizzle-orm';
import { bigint, boolean, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, version } from './column-types.ts';
import { clients, entities, organizations } from './places.ts';

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
