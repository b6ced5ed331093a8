import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with `initdb` and `postgres`, or null where the machine has no PostgreSQL server. */
export function findPostgres(): string | null {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(installed, version, 'bin')), ...(asked.status === 0 ? [asked.stdout.trim()] : [])];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}
