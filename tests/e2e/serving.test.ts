import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { buildClient } from '#server/client-build.ts';
import { type Database, openPglite } from '#server/database/open.ts';
import { prepareData } from '#server/seed/prepare.ts';
import { faultsOf } from '#tests/support/axe.ts';
import { aFolder, freePort, isSaying, openBrowser, signIn, synced } from '#tests/support/e2e.ts';
import { aConfig } from '#tests/support/server.ts';

// The app served in other ways than by `npm start`: a new build while it runs, and an API at another origin.

const root = fileURLToPath(new URL('../../', import.meta.url));
const data = aFolder('serving-data');
const build = aFolder('serving-build');
let database: Database;

beforeAll(async () => {
  await buildClient(root);
  cpSync(join(root, 'dist'), build.path, { recursive: true });
  database = await openPglite(data.path);
  await prepareData(database.db, { demo: { transactions: 1500, now: Date.now() }, admin: null, onProgress: () => undefined });
});
afterAll(async () => {
  await database.close();
  data.remove();
  build.remove();
});

/** Has an app answer. @returns its origin, by the name that browsers trust as they do a secure one. */
async function listening(app: Awaited<ReturnType<typeof buildApp>>): Promise<string> {
  const url = await app.listen({ port: await freePort(), host: 'localhost' });
  return url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
}

describe('serving', () => {
  test('[PW14] over plain http the app starts, and says that nothing is sent or brought up to date there', async () => {
    const app = await buildApp({ database, config: aConfig({ clientFolder: build.path }), clock: Date.now });
    const url = new URL(await listening(app));
    const profile = aFolder('plain-http-profile');
    const { context, page } = await openBrowser(profile.path, { args: ['--host-resolver-rules=MAP app.test localhost'] });
    url.hostname = 'app.test';
    await signIn(page, url.origin);
    await isSaying(page, /^Not syncing/, 30_000);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    expect(await page.getByText('could not start').count()).toBe(0);
    await context.close();
    await app.close();
  });

  test('[PW1] a new build waits until the person accepts it, then takes over with one reload', async () => {
    const app = await buildApp({ database, config: aConfig({ clientFolder: build.path }), clock: Date.now });
    const url = await listening(app);
    const profile = aFolder('serving-profile');
    const { context, page } = await openBrowser(profile.path);
    await signIn(page, url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    appendFileSync(join(build.path, 'service-worker.js'), '\n// the next build\n');
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await page.getByText(/new version is ready/i).waitFor();
    expect(loads).toBe(0);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => loads).toBe(1);
    await page.getByRole('grid').or(page.getByRole('heading')).first().waitFor();
    expect(await page.getByText(/new version is ready/i).count()).toBe(0);
    await context.close();
    await app.close();
    profile.remove();
  });

  test('[PW13] an app that is too old for the server says so above every screen, looks for the new one and takes it over; edits are kept', async () => {
    let isTooOld = false;
    const app = await buildApp({ database, config: aConfig({ clientFolder: build.path }), clock: Date.now });
    app.addHook('onRequest', async (request, reply) => {
      if (isTooOld && request.url.startsWith('/api/sync/')) await reply.code(426).send({ detail: 'CLIENT_TOO_OLD' });
    });
    const url = await listening(app);
    const profile = aFolder('too-old');
    const { context, page } = await openBrowser(profile.path);
    await signIn(page, url);
    await synced(page, 60_000);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    isTooOld = true;
    await page.getByTitle('How fresh this is').click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    const banner = page.getByRole('alert').filter({ hasText: 'wants a newer version' });
    await banner.getByText('It is not there yet').waitFor();
    await page.keyboard.press('Escape');
    for (const [width, height] of [
      [1280, 800],
      [390, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await faultsOf(context, page)).toEqual([]);
    }
    appendFileSync(join(build.path, 'service-worker.js'), '\n// the build the server wants\n');
    await banner.getByRole('button', { name: 'Look again' }).click();
    await banner.getByText('It is ready').waitFor();
    isTooOld = false;
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
    await synced(page, 60_000);
    expect(await banner.count()).toBe(0);
    await context.close();
    await app.close();
    profile.remove();
  });

  test('[PW11] a build accepted in one tab keeps what is typed in the others up to that moment, and they have it again', async () => {
    const app = await buildApp({ database, config: aConfig({ clientFolder: build.path }), clock: Date.now });
    const url = await listening(app);
    const profile = aFolder('update-drafts');
    const { context, page } = await openBrowser(profile.path);
    await signIn(page, url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    const [inDialog, onPage] = [await context.newPage(), await context.newPage()];
    const fields = [inDialog.getByRole('dialog').getByLabel('Client Name'), onPage.getByLabel('Entity Name')] as const;
    const openDialog = () => inDialog.getByRole('button', { name: 'Create Client' }).click();
    await inDialog.goto(`${url}/clients`);
    await openDialog();
    await onPage.goto(`${url}/entities/new`);
    await fields[1].waitFor();
    appendFileSync(join(build.path, 'service-worker.js'), '\n// a build while somebody types\n');
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await page.getByText(/new version is ready/i).waitFor();
    const loads = [page, inDialog, onPage].map((tab) => tab.waitForEvent('load'));
    for (const field of fields) await field.fill('Half a name');
    await page.getByRole('button', { name: 'Reload' }).click();
    await Promise.all(loads);
    await openDialog();
    for (const [index, tab] of [inDialog, onPage].entries()) {
      await tab.getByText('is here again').waitFor();
      expect(await fields[index]?.inputValue()).toBe('Half a name');
    }
    await context.close();
    await app.close();
    profile.remove();
  });

  test('[PW2] the app works with an API at another origin: every call sends credentials, and the policy lets it connect', async () => {
    const [appPort, apiPort] = [await freePort(), await freePort()];
    const [appOrigin, apiOrigin] = [`http://localhost:${appPort}`, `http://localhost:${apiPort}`];
    const runtime = { api_base_url: `${apiOrigin}/api`, environment_name: 'LOCAL', support_url: null, oauth: null };
    const pages = await buildApp({ database, config: aConfig({ clientFolder: build.path, runtime }), clock: Date.now });
    const api = await buildApp({ database, config: aConfig({ corsOrigins: [appOrigin] }), clock: Date.now });
    await pages.listen({ port: appPort, host: 'localhost' });
    await api.listen({ port: apiPort, host: 'localhost' });
    const profile = aFolder('origin-profile');
    const { context, page } = await openBrowser(profile.path);
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin + new URL(request.url()).pathname));
    await signIn(page, appOrigin);
    await synced(page);
    await page.getByRole('link', { name: 'Meridian Master Fund LP', exact: true }).waitFor();
    expect([...asked].some((address) => address.startsWith(`${apiOrigin}/api/`))).toBe(true);
    expect([...asked].filter((address) => address.startsWith(`${appOrigin}/api/`))).toEqual([]);
    await context.close();
    await pages.close();
    await api.close();
    profile.remove();
  });

  test('[PW3] the manifest names icons and a screenshot that exist', () => {
    const manifest = JSON.parse(readFileSync(join(build.path, 'manifest.webmanifest'), 'utf8')) as {
      icons: { src: string }[];
      screenshots: { src: string }[];
    };
    expect(manifest).toMatchObject({ start_url: '/home', display: 'standalone' });
    for (const { src } of [...manifest.icons, ...manifest.screenshots])
      expect([src, existsSync(join(build.path, src))]).toEqual([src, true]);
  });
});
