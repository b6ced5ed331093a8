import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPglite } from '#server/database/open.ts';

/** Makes one migrated embedded database for the run; each test file works on a copy. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-pglite-'));
  const database = await openPglite(folder);
  await database.close();
  provide('pgliteTemplate', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
