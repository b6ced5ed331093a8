import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { apartIn } from '#tests/support/databases.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount } from '#tests/support/e2e.ts';
import { whileHeld } from '#tests/support/held-table.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await openDemo('kept-clients');
});
afterAll(() => app.close());

test('[KD4] a person sees what of each client is on the device, keeps it or not, chooses how much all may take, and is told where rows are left out', async () => {
  const { page, server } = app;
  await page.goto(`${server.url}/settings`);
  const row = page.getByRole('table', { name: 'Clients on this device' }).getByRole('row').nth(1);
  const name = (await row.getByRole('cell').first().textContent()) ?? '';
  const keep = page.getByRole('switch', { name: `Keep ${name} on this device` });
  await row.getByText('Complete').waitFor();
  await keep.focus();
  await page.keyboard.press('Space');
  await row.getByText('Not kept here').waitFor();
  expect([await keep.getAttribute('aria-checked'), await row.getByRole('cell').nth(1).textContent()]).toEqual(['false', '0']);

  const most = page.getByRole('combobox', { name: 'At most on this device' });
  await most.selectOption({ label: '500 MB' });
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const left = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Not kept' }).first();
  await left.getByRole('link').first().click();
  await page.getByRole('link', { name: 'Transactions', exact: true }).click();
  await page.getByRole('heading', { name: 'Not kept on this device' }).waitFor();
  await page.getByRole('button', { name: 'Keep on this device' }).click();
  // they come from the server
  await expect.poll(() => rowCount(page), { timeout: 60_000 }).toBeGreaterThan(0);

  await page.goto(`${server.url}/settings`);
  await row.getByText('Complete').waitFor();
  await expect.poll(async () => [await keep.getAttribute('aria-checked'), await most.inputValue()]).toEqual(['true', '500000000']);
});

test('[KD12] before it is known what of a client is on the device nothing is said of it, and nothing can be chosen', async () => {
  const { page, server } = app;
  const row = page.getByRole('table', { name: 'Clients on this device' }).getByRole('row').nth(1);
  await page.goto('about:blank');
  await whileHeld(page, server.url, 'counts', async () => {
    await page.goto(`${server.url}/settings`);
    await row.getByText('Being looked at').waitFor();
    expect(await row.getByRole('switch').isDisabled()).toBe(true);
  });
  await row.getByText('Complete').waitFor();
  expect(await row.getByRole('switch').isDisabled()).toBe(false);
});

test('[PF12] Settings say how often parts of the copy were found damaged and read again, and what was last; nothing where none was', async () => {
  const { page, server } = app;
  const storage = page.getByRole('region', { name: 'Storage on this device' });
  await page.goto(`${server.url}/settings`);
  await storage.getByText(/used of/).waitFor();
  await storage.getByRole('combobox').waitFor();
  expect(await storage.getByText('damaged').count()).toBe(0);
  const client = demoIdOf.client('Meridian Digital Assets');
  await page.evaluate(
    async ([factory, id]) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = factory.open('tieout-device');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not opened'));
      });
      const transaction = database.transaction('loss_audit', 'readwrite');
      const reasonOf = (what: string): string => `The local transactions of ${id} are damaged: ${what}`;
      for (const [at, what] of [
        [Date.UTC(2026, 8, 13, 9), 'record 3 is missing'],
        [Date.UTC(2026, 8, 14, 14, 2), 'a segment is missing or has a wrong checksum'],
      ] as const)
        transaction.objectStore('loss_audit').add({ at, database: `transactions/${id}`, reason: reasonOf(what) });
      await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      database.close();
    },
    [await apartIn(page), client] as const,
  );
  await page.reload();
  await storage
    .getByText(
      'Parts of the copy in this browser were found damaged and read again 2 times, last on 09/14/2026 14:02 UTC: The local transactions of Meridian Digital Assets are damaged: a segment is missing or has a wrong checksum',
    )
    .waitFor();
});
