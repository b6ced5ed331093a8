import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildClient } from '#server/client-build.ts';
import { setup as makeTemplate } from './pglite-setup.ts';

export { teardown } from './pglite-setup.ts';

/** Makes what all servers of the run begin with: the built app, which two of them would else build at once, and a migrated database. */
export async function setup(project: TestProject): Promise<void> {
  await buildClient(fileURLToPath(new URL('../../', import.meta.url)));
  await makeTemplate(project);
}
