import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildClient } from '#server/client-build.ts';
import { openPglite } from '#server/database/open.ts';
import { prepareData } from '#server/seed/prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    demoTemplate: string;
  }
}

/** Transactions of the demo data that a run makes once. */
const demoTransactions = 4000;

let folder: string;

/**
 * Builds the app, which servers that start at once would all do, and makes one database of demo data for the run: to make one takes
 * seconds, to copy it none.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  await buildClient(fileURLToPath(new URL('../../', import.meta.url)));
  folder = mkdtempSync(join(tmpdir(), 'tieout-demo-'));
  const database = await openPglite(folder);
  await prepareData(database.db, {
    demo: { transactions: demoTransactions, now: Date.now() },
    admin: null,
    onProgress: () => undefined,
  });
  await database.close();
  provide('demoTemplate', folder);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
