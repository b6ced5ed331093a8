import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** A moment to the millisecond: what JavaScript can hold, so a cursor never falls between two rows. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
/** Grows by one with every change of the row. */
export const version = () => bigint('version', { mode: 'number' }).notNull().default(1);
/** The number of a database transaction, as text: it outgrows what JavaScript counts exactly. */
export const transactionNumber = customType<{ data: string }>({ dataType: () => 'xid8' });
export const ownTransaction = (name: string) => transactionNumber(name).notNull().default(sql`pg_current_xact_id()`);
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
export const createdAt = () => moment('created_at').notNull().defaultNow();
/** Deleted is out of everybody's sight, and nothing else: what was booked under it stays in the database. */
export const deletedAt = () => moment('deleted_at');
