import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { buildClient } from '#server/client-build.ts';
import { type Database, openPglite } from '#server/database/open.ts';
import { aFolder, freePort, openBrowser, signIn, synced } from '#tests/support/e2e.ts';
import { expectOnce } from '#tests/support/fault-checks.ts';
import { type Gateway, openGateway } from '#tests/support/gateway.ts';
import { callOf, heldEdits } from '#tests/support/held-rows.ts';
import { goOffline, goOnline } from '#tests/support/network-faults.ts';
import { makeNextBuild, nextAssets } from '#tests/support/next-build.ts';
import { effectsAt, markingOf, openRows, queueEdits } from '#tests/support/queued-edits.ts';
import { aConfig } from '#tests/support/server.ts';
import { sharedWorkersIn } from '#tests/support/shared-workers.ts';

// A new build comes while edits wait: the one on its way when the network went, and those made after.

const root = fileURLToPath(new URL('../../', import.meta.url));
const data = aFolder('update-data');
const build = aFolder('update-build');
const next = aFolder('update-next');
const profile = aFolder('update-profile');
const serverUrl = `http://localhost:${await freePort()}`;
let database: Database;
let app: FastifyInstance;
let gateway: Gateway;
let context: BrowserContext;
let page: Page;

/** Serves a build in place of the one served so far. */
async function deploy(folder: string): Promise<void> {
  await app?.close();
  app = await buildApp({ database, config: aConfig({ clientFolder: folder }), clock: Date.now });
  await app.listen({ port: Number(new URL(serverUrl).port), host: 'localhost' });
}

beforeAll(async () => {
  await buildClient(root);
  cpSync(join(root, 'dist'), build.path, { recursive: true });
  makeNextBuild(build.path, next.path);
  cpSync(inject('demoTemplate'), data.path, { recursive: true });
  database = await openPglite(data.path);
  await deploy(build.path);
  gateway = await openGateway(serverUrl);
  ({ context, page } = await openBrowser(profile.path));
});
afterAll(async () => {
  await context?.close();
  await gateway?.close();
  await app?.close();
  await database?.close();
  for (const folder of [data, build, next, profile]) folder.remove();
});

const scriptOf = (tab: Page): Promise<string> =>
  tab.evaluate(() => document.querySelector('script[type=module]')?.getAttribute('src') ?? '');

test('[BF6] edits that wait outlive the acceptance of a new build, whose worker sends each of them once', {
  timeout: 300_000,
}, async () => {
  const browser = { context, page };
  await signIn(page, gateway.url);
  await synced(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const marking = markingOf(0);
  const other = await context.newPage();
  await openRows(other, gateway.url, marking.from);
  await openRows(page, gateway.url, marking.from);
  const effectsBefore = await effectsAt(callOf(context, serverUrl));

  await deploy(next.path);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  for (const tab of [page, other]) await tab.getByText(/new version is ready/i).waitFor();
  expect(await scriptOf(page)).not.toContain(nextAssets);

  const lost = gateway.at({ call: /^PUT /, stage: 'answered', nth: 1 }, () => goOffline(browser, gateway));
  await page.locator('[data-row="0"] [data-column="1"]').focus();
  await page.keyboard.press('t');
  await lost;
  const edits = await queueEdits(page, marking, 'Before the update');
  expect(edits.length).toBeGreaterThan(3);

  await page.getByRole('button', { name: 'Reload' }).click();
  for (const tab of [page, other]) {
    await expect.poll(() => scriptOf(tab).catch(() => '')).toContain(nextAssets);
    await tab.getByRole('link', { name: `Outbox, ${edits.length} edits wait` }).waitFor();
  }
  expect((await heldEdits(page)).edits.map(({ id }) => id)).toEqual(edits.map(({ id }) => id));
  await expect.poll(async () => (await sharedWorkersIn(context)).map((url) => url.includes(nextAssets))).toEqual([true]);

  await goOnline(browser, gateway);
  await expectOnce(browser, { url: gateway.url, serverUrl }, { marking, edits, effectsBefore });
});
