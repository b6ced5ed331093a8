import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo, synced } from '#tests/support/e2e.ts';

let app: DemoApp;

beforeAll(async () => {
  app = await openDemo('cleared-storage');
});
afterAll(() => app?.close());

const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all&match=PENDING`;

test('[EV2] a person whose browser cleared what was kept is told what went with it, and everything else comes back', async () => {
  const { context, page, server } = app;
  await page.goto(server.url + place);
  const row = page.getByRole('row').filter({ hasText: 'Pending' }).filter({ hasText: 'Withdrawal' }).first();
  await row.waitFor();
  await context.setOffline(true);
  await row.click();
  await page.keyboard.press('t');
  await page.getByRole('link', { name: /^Outbox, (1|one) / }).waitFor();
  // the browser clears a site nobody looks at
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto(`${server.url}/config.json`);
  const left = await later.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases())
      await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = resolve;
      });
    return (await indexedDB.databases()).length;
  });
  expect(left).toBe(0);
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
});
