import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { signIn, signOut, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';

let app: DemoApp;
let page: Page;

beforeAll(async () => {
  app = await openDemo('sorted-lists');
  ({ page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signOut(page);
  // who sees the clients of all organizations
  const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
  if (!superuser) throw new Error('The demo has no superuser');
  await signIn(page, app.server.url, superuser);
  await synced(page);
});
afterAll(() => app?.close());

const table = () => page.getByRole('table', { name: 'Clients' });
const head = (name: string) => table().getByRole('columnheader', { name });
const sorted = (name: string) => head(name).getAttribute('aria-sort');
const search = () => new URL(page.url()).search;
/** What stands in a column, from the top down, as numbers. */
async function figures(column: number): Promise<number[]> {
  const texts = await table().locator(`tbody td:nth-child(${column})`).allTextContents();
  return texts.map((text) => Number(text.replaceAll(',', '')));
}
const names = () => table().locator('tbody td:first-child a').allTextContents();
const falling = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => b - a);

test('[LT8] by keys alone clients are sorted by who has most unreconciled accounts, by several columns, and not at all; the order outlives a reload and other filters', async () => {
  await page.goto(`${app.server.url}/clients`);
  await table().waitFor();
  const usual = await names();
  expect(usual.length).toBeGreaterThan(6);
  const [entities, unreconciled] = [2, 4];
  await head('Client').getByRole('button').focus();
  for (const name of ['Entities', 'Accounts', 'Unreconciled']) {
    await page.keyboard.press('Tab');
    expect(
      await head(name)
        .getByRole('button')
        .evaluate((button) => button === document.activeElement),
    ).toBe(true);
  }
  expect(await sorted('Unreconciled')).toBe('none');
  await page.keyboard.press('Enter');
  await expect.poll(() => sorted('Unreconciled')).toBe('ascending');
  await page.keyboard.press('Space');
  await expect.poll(() => sorted('Unreconciled')).toBe('descending');
  await expect.poll(search).toBe('?sort=-unreconciled');
  const most = await figures(unreconciled);
  expect(most).toEqual(falling(most));
  expect(most[0]).toBeGreaterThan(most.at(-1) ?? 0);
  expect(await page.getByText('Sorted by Unreconciled descending', { exact: true }).count()).toBe(1);
  await looksRightIn({ context: app.context, page }, 'sorted-clients');

  await head('Entities').getByRole('button').focus();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect.poll(search).toBe('?sort=-unreconciled,-entities');
  expect(await head('Entities').innerText()).toMatch(/2/);
  const [first, second] = [await figures(unreconciled), await figures(entities)];
  const pairs = first.map((count, at) => count * 1000 + (second[at] ?? 0));
  expect(pairs).toEqual(falling(pairs));
  const inOrder = await names();

  await page.reload();
  await expect.poll(names).toEqual(inOrder);
  await page.getByLabel('Find client').fill(usual[0] ?? '');
  await expect.poll(names).toEqual([usual[0]]);
  expect(search()).toBe('?sort=-unreconciled,-entities');
  await page.getByLabel('Find client').fill('');
  await expect.poll(names).toEqual(inOrder);

  await head('Unreconciled').getByRole('button').focus();
  await page.keyboard.press('Shift+Enter');
  await expect.poll(search).toBe('?sort=-entities');
  await head('Entities').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect.poll(search).toBe('');
  expect(await sorted('Entities')).toBe('none');
  expect(await names()).toEqual(usual);
}, 120_000);

test('[LT9] on a narrow screen the same columns are a choice above the cards', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app.server.url}/clients?sort=-client`);
  const cards = page.getByRole('list', { name: 'Clients' });
  const shown = () => cards.getByRole('link').allTextContents();
  await cards.waitFor();
  const fromLast = await shown();
  await page.getByRole('button', { name: 'Sort: Client descending' }).press('Enter');
  const menu = page.getByRole('dialog', { name: 'Sort' });
  const line = (name: string) => menu.getByRole('list', { name: 'Sort by' }).getByRole('button', { name });
  expect(await menu.getByRole('listitem').locator('span:first-child').allTextContents()).toEqual(
    expect.arrayContaining(['Client', 'Entities', 'Accounts', 'Unreconciled', 'AUM (USD)', 'Last update (UTC)']),
  );
  await menu.getByRole('button', { name: 'Usual order' }).press('Enter');
  await expect.poll(search).toBe('');
  await expect.poll(shown).toEqual(fromLast.toReversed());
  await line('Unreconciled').press('Enter');
  await line('Unreconciled').press('Enter');
  await expect.poll(search).toBe('?sort=-unreconciled');
  const words = await cards.getByRole('listitem').allTextContents();
  const counts = words.map((text) => Number(/(\d+) unreconciled/.exec(text)?.[1] ?? 0));
  expect(counts).toEqual(falling(counts));
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
}, 60_000);
