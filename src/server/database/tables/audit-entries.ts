import { bigserial, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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
