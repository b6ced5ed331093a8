import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openPglite, openPostgres } from '#server/database/open.ts';

/** Which database the tests of this project run on. */
export const databaseKind = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';

let databasesMade = 0;

async function aPostgres(): Promise<{ database: Database; url: string }> {
  const adminUrl = inject('postgresUrl');
  databasesMade += 1;
  const name = `tieout_${process.pid}_${databasesMade}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name} template tieout_template`);
  await admin.end();
  const url = adminUrl.replace('/postgres?', `/${name}?`);
  return { url, database: await openPostgres(url) };
}

async function aPglite(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-test-'));
  cpSync(inject('pgliteTemplate'), folder, { recursive: true });
  const database = await openPglite(folder);
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A migrated, empty database of the project's kind; close it when done. `url` is null for the embedded one. */
export async function aDatabase(): Promise<{ database: Database; url: string | null }> {
  return databaseKind === 'postgres' ? aPostgres() : { database: await aPglite(), url: null };
}
