import type { Page } from 'playwright';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveView } from '#contract/saved-views.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo, type RunningServer, startServer, synced } from '#tests/support/e2e.ts';
import { callOf } from '#tests/support/held-rows.ts';

const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all&match=PENDING`;
let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('quota', { transactions: 40_000 });
  ({ server, page } = app);
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const badge = () => page.getByRole('banner').getByRole('link', { name: /^Outbox/ });
const hereOf = (name: string) => page.getByRole('table', { name: 'Clients on this device' }).getByRole('row').filter({ hasText: name });
const usage = (): Promise<number> => page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);

/** What becomes of a small row that is written beside all else. */
const writeSmall = (): Promise<string> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('small', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('rows', { autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('not opened'));
    });
    const transaction = database.transaction('rows', 'readwrite');
    transaction.objectStore('rows').add('x'.repeat(1_000));
    return new Promise((resolve) => {
      transaction.addEventListener('complete', () => resolve('written'));
      transaction.addEventListener('abort', () => resolve(transaction.error?.name ?? 'aborted'));
    });
  });

test('[BF8] on a full disk an edit is kept all the same, and reaches the server', async () => {
  await page.goto(server.url + place);
  await synced(page);
  expect(await writeSmall()).toBe('written');
  // less than is used, but more than is left once the room kept for edits is given to them
  const ballast = 5 * 2 ** 20;
  await expect.poll(usage).toBeGreaterThan(ballast);
  const session = await app.context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize: (await usage()) - ballast / 4 });
  // Chromium remembers for some seconds how much room there was
  await expect.poll(writeSmall, { timeout: 60_000, interval: 1_000 }).toBe('QuotaExceededError');

  await server.stop();
  await page.locator('[data-row="0"] [data-column="1"]').focus();
  await page.keyboard.press('t');
  await expect.poll(() => badge().getAttribute('aria-label')).toMatch(/^Outbox, 1 edit waits/);
  server = await startServer(app.env);
  await expect.poll(() => badge().getAttribute('aria-label'), { timeout: 60_000 }).toBe('Outbox, no edits wait');
}, 120_000);

test('[KD5] on a full disk the client that nobody looks at goes, which is said, and comes back when it is opened', async () => {
  const session = await app.context.newCDPSession(page);
  const setQuota = async (quotaSize?: number): Promise<void> => {
    const origin = new URL(server.url).origin;
    await session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize === undefined ? {} : { quotaSize }) });
  };
  await synced(page);
  await setQuota((await usage()) - 2 ** 19);
  await expect.poll(writeSmall, { timeout: 60_000, interval: 1_000 }).toBe('QuotaExceededError');
  await callOf(app.context, server.url)(saveView, { id: uuidv7(), name: 'Told', list: 'transactions', search: 'type=13' });
  const sync = page.getByTitle('How fresh this is');
  await expect.poll(() => sync.textContent(), { timeout: 60_000 }).toMatch(/^Sync problem/);
  await sync.click();
  await page.getByText(/^There was no room on this device for all clients\. Hawthorne Family Office went/).waitFor({ timeout: 90_000 });
  await expect.poll(writeSmall, { timeout: 60_000, interval: 1_000 }).toBe('written');

  await page.goto(`${server.url}/settings`);
  await hereOf('Hawthorne').getByText('No room').waitFor();
  await hereOf('Meridian').getByText('Complete').waitFor();
  await setQuota();
  await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity('Hawthorne Dynasty Trust')}&dates=all`);
  await synced(page);
  await page.getByRole('row').nth(3).waitFor();
  await page.goto(`${server.url}/settings`);
  await hereOf('Hawthorne').getByText('Complete').waitFor();
}, 300_000);
