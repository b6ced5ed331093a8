import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { apartIn } from '#tests/support/databases.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer, startServer, synced } from '#tests/support/e2e.ts';

const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all&match=PENDING`;
let app: DemoApp;
let server: RunningServer;
let page: Page;
/** What it overrides holds for as long as it is attached. */
let quota: CDPSession;

beforeAll(async () => {
  app = await openDemo('quota', { transactions: 40_000 });
  ({ server, page } = app);
  quota = await app.context.newCDPSession(page);
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

/** Sets what the browser allows, in bytes; without a size it is as before. */
async function setQuota(quotaSize?: number): Promise<void> {
  const { origin } = new URL(server.url);
  await quota.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize === undefined ? {} : { quotaSize }) });
}

test('[BF8] on a full disk an edit is kept all the same, and reaches the server', async () => {
  await page.goto(server.url + place);
  await synced(page);
  expect(await writeSmall()).toBe('written');
  // without a server nothing is let go of to make room
  await server.stop();
  // less than is used, but more than is left once the room kept for edits is given to them
  const ballast = 5 * 2 ** 20;
  await expect.poll(usage).toBeGreaterThan(ballast);
  await setQuota((await usage()) - ballast / 4);
  // Chromium remembers for some seconds how much room there was
  await expect.poll(writeSmall, { timeout: 60_000, interval: 1_000 }).toBe('QuotaExceededError');

  await page.locator('[data-row="0"] [data-column="1"]').focus();
  await page.keyboard.press('t');
  await expect.poll(() => badge().getAttribute('aria-label')).toMatch(/^Outbox, 1 edit waits/);
  server = await startServer(app.env);
  await expect.poll(() => badge().getAttribute('aria-label'), { timeout: 60_000 }).toBe('Outbox, no edits wait');
}, 180_000);

/** Lets the copies on this device take so many bytes: fewer than the screen offers, as here they are small. */
async function setBudget(bytes: number): Promise<void> {
  await page.evaluate(
    async ([factory, value]) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = factory.open('tieout-device');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not opened'));
      });
      const transaction = database.transaction('device', 'readwrite');
      transaction.objectStore('device').put({ k: 'budget', value });
      await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      database.close();
    },
    [await apartIn(page), bytes] as const,
  );
}

test('[KD5] where the copies take more than they may the client that nobody looks at goes, which is said, and comes back when it is opened', async () => {
  await setQuota();
  const told = page.getByText(/^The clients on this device took more than the .* they may\. Hawthorne Family Office went/);
  // Chromium tidies its files when it likes: what is used may be less than the budget by the time it is looked at
  const letGo = async () => {
    await setBudget((await usage()) * 0.7);
    // a budget that the screen did not choose is read with the next look at a client
    await page.goto(server.url + place);
    await synced(page);
    await page.getByTitle('How fresh this is').click();
    return told.waitFor({ timeout: 25_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(letGo, { timeout: 120_000 }).toBe(true);
  // Chromium frees what went when it likes, and in the settings nobody looks at the other client either
  await setBudget(2e9);

  await page.goto(`${server.url}/settings`);
  await hereOf('Hawthorne').getByText('No room').waitFor();
  await hereOf('Meridian').getByText('Complete').waitFor();
  await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity('Hawthorne Dynasty Trust')}&dates=all`);
  await synced(page);
  await page.getByRole('row').nth(3).waitFor();
  await page.goto(`${server.url}/settings`);
  await hereOf('Hawthorne').getByText('Complete').waitFor();
}, 180_000);
