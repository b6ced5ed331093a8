import { afterAll, beforeAll, expect, test } from 'vitest';
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
