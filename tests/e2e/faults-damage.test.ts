import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { killBrowser } from '#tests/support/browser-process.ts';
import { synced } from '#tests/support/e2e.ts';
import { expectOnce } from '#tests/support/fault-checks.ts';
import { type FaultScene, openFaultScene } from '#tests/support/fault-scene.ts';
import { callOf, heldEdits } from '#tests/support/held-rows.ts';
import { goOffline, goOnline } from '#tests/support/network-faults.ts';
import { effectsAt, markingOf, openRows, queueEdits } from '#tests/support/queued-edits.ts';

/** Pages of transactions. */
const pages = /^GET \/api\/transactions\?/;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openFaultScene('faults-damage', { template: inject('demoTemplate') });
});
afterAll(() => scene?.close());

/** Spoils a record in the log of a site's databases, as one that a crash tore is spoilt once another is written behind it. */
function spoil(profile: string): void {
  const folder = join(profile, 'Default/IndexedDB');
  const log = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.log')) ?? '';
  const path = join(folder, log);
  const file = openSync(path, 'r+');
  writeSync(file, 'torn', Math.floor(statSync(path).size / 2));
  closeSync(file);
}

test('[BF9] a browser that throws its databases away because a crash damaged them keeps the edits that wait, and sends each once', async () => {
  const profile = scene.profile();
  const before = await scene.open(profile);
  await before.page.goto(`${scene.url}/home`);
  await synced(before.page);
  const marking = markingOf(0);
  await openRows(before.page, scene.url, marking.from);
  const effectsBefore = await effectsAt(callOf(before.context, scene.serverUrl));
  await goOffline(before, scene.gateway);
  const edits = await queueEdits(before.page, marking, 'View of before');
  await killBrowser(before);
  spoil(profile);

  const after = await scene.open(profile);
  await goOnline(after, scene.gateway);
  const rowsRead = scene.gateway.count(pages, 'given');
  // a place of the app without the app: nothing goes on while one looks
  await after.page.goto(`${scene.url}/config.json`);
  expect((await heldEdits(after.page)).edits.map(({ id }) => id)).toEqual(edits.map(({ id }) => id));
  await after.page.goto(`${scene.url}/home`);
  await expectOnce(after, scene, { marking, edits, effectsBefore });
  // the browser did throw the copy away
  expect(scene.gateway.count(pages, 'given')).toBeGreaterThan(rowsRead + 10);
  expect(await after.page.getByText('this browser cleared').count()).toBe(0);
}, 300_000);
