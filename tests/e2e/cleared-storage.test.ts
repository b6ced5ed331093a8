import { sql } from 'drizzle-orm';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptKeys, keyOfUser } from '#app/kept-keys.ts';
import { openPglite } from '#server/database/open.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { apartIn, copiesIn, databasesIn } from '#tests/support/databases.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, offline, type RunningServer, signIn, startServer, synced } from '#tests/support/e2e.ts';
import { sharedWorkersIn } from '#tests/support/shared-workers.ts';

let app: DemoApp;
let server: RunningServer;

beforeAll(async () => {
  app = await openDemo('cleared-storage');
  server = app.server;
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const waitingKey = keyOfUser(keptKeys.editsWaiting, demoIdOf.user(accountant.email));
const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all&match=PENDING`;

/** The browser clears the databases of a site nobody looks at. @param page shows none of the app. @returns how many are left. */
async function clearDatabases(page: Page): Promise<number> {
  // the worker of pages just closed lives a moment longer, and would make them anew
  await expect.poll(() => sharedWorkersIn(page.context())).toEqual([]);
  for (const place of [await copiesIn(page), await apartIn(page)])
    await page.evaluate(async (factory) => {
      for (const { name = '' } of await factory.databases())
        await new Promise((resolve) => {
          const request = factory.deleteDatabase(name);
          request.onsuccess = resolve;
          request.onerror = resolve;
        });
    }, place);
  return (await databasesIn(page)).length;
}

test('[EV2] a person whose browser cleared what was kept is told what went with it, and everything else comes back', async () => {
  const { context, page } = app;
  await page.goto(server.url + place);
  const row = page.getByRole('row').filter({ hasText: 'Pending' }).filter({ hasText: 'Withdrawal' }).first();
  await row.waitFor();
  // the worker of all tabs is beyond the browser's own switch, and would send in a round that is under way
  await server.stop();
  await offline(page);
  await row.click();
  await page.keyboard.press('t');
  await page.getByRole('link', { name: /^Outbox, (1|one) / }).waitFor();
  // it is written down a moment after it shows
  const written = () => page.evaluate((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { count?: number }).count, waitingKey);
  await expect.poll(written).toBe(1);
  await page.close();
  server = await startServer(app.env);
  const later = await context.newPage();
  await later.goto(`${server.url}/config.json`);
  expect(await clearDatabases(later)).toBe(0);
  await later.goto(`${server.url}/home`);
  const told = later.getByText(/^WarningSome time after .* this browser cleared what was kept on this device/);
  await told.waitFor();
  expect(await told.innerText()).toContain('One edit that waited here is gone');
  await synced(later);
  // until it is read
  await later.reload();
  await told.waitFor();
  expect(await told.innerText()).toContain('One edit that waited here is gone');
  await later.getByRole('button', { name: 'Close' }).click();
  await later.goto(server.url + place);
  await later.getByRole('row').filter({ hasText: 'Pending' }).first().waitFor();
  await synced(later);
  expect(await later.getByText('this browser cleared').count()).toBe(0);
  await later.close();
});

test('[EV6] a person whose browser cleared all that scripts keep is told how many edits the server knew to wait', async () => {
  const page = await app.context.newPage();
  await page.goto(server.url + place);
  await page.getByRole('row').filter({ hasText: 'Pending' }).first().waitFor();
  await server.stop();
  await offline(page);
  await page.keyboard.press('v');
  await page.getByRole('button', { name: /^Save as/ }).click();
  await page.getByLabel('Name').fill('Year end');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Outbox, 1 edit/ }).waitFor();
  // one of that name was saved elsewhere: it will be refused, and go on waiting
  const database = await openPglite(app.env.DATA_DIR ?? '');
  await database.db.execute(sql`insert into saved_views (user_id, id, list, name, name_key, search, updated_at)
    select id, gen_random_uuid(), 'transactions', 'Year end', 'year end', 'type=1', now() from users where email = ${accountant.email}`);
  await database.close();
  server = await startServer(app.env);
  await synced(page);
  await page.getByRole('link', { name: /^Outbox, 1 edit/ }).waitFor();
  await page.close();
  const later = await app.context.newPage();
  await later.goto(`${server.url}/config.json`);
  expect(await clearDatabases(later)).toBe(0);
  await later.evaluate(() => localStorage.clear());
  await signIn(later, server.url);
  const told = later.getByText(/^WarningSome time after .* this browser cleared what was kept on this device/);
  await told.waitFor();
  expect(await told.innerText()).toContain('One edit that waited here is gone, unless it reached the server');
  await later.reload();
  await told.waitFor();
  await later.getByRole('button', { name: 'Close' }).click();
  await later.reload();
  await synced(later);
  expect(await later.getByText('this browser cleared').count()).toBe(0);
});
