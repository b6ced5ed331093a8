import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '#server/database/open.ts';

/**
 * Samples the rows of all our tables for the planner. PostgreSQL does so by itself as rows come; the embedded database has nobody to do it,
 * and would plan for empty tables for ever. A sample of each is read, however many rows there are.
 */
export async function sampleTables(db: Db): Promise<void> {
  const tables = await rowsOf<{ name: string }>(db, sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  await db.execute(
    sql`analyze ${sql.join(
      tables.map(({ name }) => sql.identifier(name)),
      sql`, `,
    )}`,
  );
}
