import { asc, eq } from 'drizzle-orm';
import type { Db } from '#server/database/open.ts';
import { auditEntries } from '#server/database/tables/audit-entries.ts';

/** What the trail says of a row, the oldest first; of a compound key the parts with blanks between them. */
export async function entriesOfRow(db: Db, rowId: string) {
  return db.select().from(auditEntries).where(eq(auditEntries.row_id, rowId)).orderBy(asc(auditEntries.seq));
}

/** Every entry there is, the oldest first. */
export async function allEntries(db: Db) {
  return db.select().from(auditEntries).orderBy(asc(auditEntries.seq));
}
