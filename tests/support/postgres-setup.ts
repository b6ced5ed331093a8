import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '#server/database/open.ts';
import { findPostgres } from './postgres-binaries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    pgliteTemplate: string;
  }
}

let folder: string;
let server: ChildProcess;

/** initdb refuses root: as root the throw-away server runs as a user who owns nothing. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`The throw-away PostgreSQL ended with code ${code}: ${said}`)));
  });
}

/** Starts a PostgreSQL for this run alone, with a migrated template database, reached through a socket in its own folder. */
export async function setup({ provide }: TestProject): Promise<void> {
  const bin = findPostgres();
  if (!bin) throw new Error('No PostgreSQL on this machine');
  folder = mkdtempSync(join(tmpdir(), 'tieout-postgres-'));
  const as = unprivileged();
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'tieout', '-E', 'UTF8', '--no-sync'], {
    ...as,
    encoding: 'utf8',
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-h', '', '-c', 'fsync=off', '-c', 'max_connections=200'], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const urlOf = (database: string) => `postgresql://tieout@localhost/${database}?host=${encodeURIComponent(folder)}`;
  await untilReady(server);
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query('create database tieout_template');
  await admin.end();
  const template = await openPostgres(urlOf('tieout_template'));
  await template.close();
  provide('postgresUrl', urlOf('postgres'));
}

/** Ends the server of this run and removes all it kept. */
export async function teardown(): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
