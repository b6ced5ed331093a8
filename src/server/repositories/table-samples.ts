import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '#server/database/open.ts';

/** The names of all our tables. */
export async function tableNames(db: Db): Promise<string[]> {
  const found = await rowsOf<{ name: string }>(db, sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  return found.map(({ name }) => name);
}

/**
 * Samples the rows of all our tables for the planner. PostgreSQL does so by itself as rows come; the embedded database has nobody to do it,
 * and would plan for empty tables for ever. A sample of each is read, however many rows there are.
 */
export async function sampleTables(db: Db): Promise<void> {
  const tables = (await tableNames(db)).map((name) => sql.identifier(name));
  await db.execute(sql`analyze ${sql.join(tables, sql`, `)}`);
}
