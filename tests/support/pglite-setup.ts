import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPglite } from '#server/database/open.ts';

let folder: string;

/** Makes one migrated embedded database for the run; each test file works on a copy. */
export async function setup({ provide }: TestProject): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'tieout-pglite-'));
  const database = await openPglite(folder);
  await database.close();
  provide('pgliteTemplate', folder);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
