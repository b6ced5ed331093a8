import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { lockDirectory } from './directory-lock.ts';
import type { OnNotice } from './feed-channel.ts';
import { listenTo } from './notices.ts';
import { PgliteClient } from './pglite-client.ts';

/** The database or one transaction on it: everything a repository needs. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An opened and migrated database. */
export interface Database {
  kind: 'pglite' | 'postgres';
  db: Db;
  /** Times the embedded database has flushed to disk; PostgreSQL minds its own. */
  countFsync(): Promise<number>;
  /** Hears where something changed, whichever server on the database changed it. Gives what ends it. */
  listen(onNotice: OnNotice): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));
/** Any number; all servers of one database must use the same. */
const migrationLock = 7_272_011;

/** Opens the embedded database in a directory this process then owns. */
export async function openPglite(dataDir: string): Promise<Database> {
  const release = lockDirectory(dataDir);
  try {
    const folder = join(dataDir, 'pglite');
    if (!existsSync(join(folder, 'PG_VERSION'))) {
      // making a new cluster leaves its thread twice as large: do it in one that ends
      const first = await PgliteClient.open(folder);
      await first.close();
    }
    const client = await PgliteClient.open(folder);
    // the client answers the four calls Drizzle's driver makes of a PGlite
    const db = drizzlePglite(client as unknown as PGlite);
    await migratePglite(db, { migrationsFolder });
    return {
      kind: 'pglite',
      db,
      countFsync: () => client.countFsync(),
      async listen(onNotice) {
        const forget = client.listen(onNotice);
        return async () => forget();
      },
      async close() {
        await client.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Opens PostgreSQL by its address. Several servers may start on one database at once. */
export async function openPostgres(url: string, poolSize = 10): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize });
  // an idle connection that breaks must not end the process; the next query reports it
  pool.on('error', () => undefined);
  const connection = await pool.connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    await migratePostgres(drizzlePostgres(connection), { migrationsFolder });
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [migrationLock]);
    connection.release();
  }
  return {
    kind: 'postgres',
    db: drizzlePostgres(pool),
    countFsync: () => Promise.resolve(0),
    listen: (onNotice) => listenTo(url, onNotice),
    close: () => pool.end(),
  };
}

/** Runs a hand-written statement and gives its rows; the caller casts every column to a type both databases agree on. */
export async function rowsOf<Row>(db: Db, statement: SQL): Promise<Row[]> {
  const result = (await db.execute(statement)) as unknown as { rows: Row[] };
  return result.rows;
}

/** An id as the database takes it; text that is no UUID becomes the one UUID that no row has. */
export function toUuid(id: string): string {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : '00000000-0000-0000-0000-000000000000';
}

/** `column in (ids)` that also takes an empty list, which nothing matches. */
export function inIds(column: SQL | { getSQL(): SQL }, ids: readonly string[]): SQL {
  if (ids.length === 0) return sql`false`;
  return sql`${column} in (${sql.join(
    ids.map((id) => sql`${toUuid(id)}::uuid`),
    sql`, `,
  )})`;
}
