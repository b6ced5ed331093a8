import 'fake-indexeddb/auto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '#server/database/open.ts';

// Makes the fixture of the version in package.json: node --import tsx tests/flows/released/make.ts

const { version } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as { version: string };
const file = join(import.meta.dirname, `${version}.json`);
const folder = mkdtempSync(join(tmpdir(), 'tieout-released-'));

// Dexie looks for IndexedDB when it is loaded
const { aClock, aServer } = await import('#tests/support/server.ts');
const { fixtureText, makeFixture } = await import('./fixture.ts');
const database = await openPglite(folder);
const server = await aServer({}, aClock(), Promise.resolve({ database, url: null }));
try {
  // what a version left is not made anew: browsers have it
  writeFileSync(file, fixtureText(await makeFixture(server, version)), { flag: 'wx' });
  console.log(file);
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
