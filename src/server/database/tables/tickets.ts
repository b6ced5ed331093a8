import { sql } from 'drizzle-orm';
import { bigserial, check, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { TicketPriority } from '#contract/tickets.ts';
import type { ImageKind } from '#domain/image-kinds.ts';
import { bytes, createdAt } from './column-types.ts';
import { users } from './users.ts';

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
