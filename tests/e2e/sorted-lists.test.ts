import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

const list = () => page.getByRole('grid', { name: 'Clients' });
const head = (name: string) => list().getByRole('columnheader', { name });
const sorted = (name: string) => head(name).getAttribute('aria-sort');
const search = () => new URL(page.url()).search;
const cells = (column: number) => list().locator(`[role=gridcell][aria-colindex="${column}"]`);
/** What stands in a column, from the top down: a row keeps its element where another one comes to stand before it. */
const textsOf = (column: number): Promise<string[]> =>
  list().evaluate((grid, at) => {
    const rows = [...grid.querySelectorAll('[data-row]')];
    const placeOf = (row: Element): number => Number(row.getAttribute('data-row'));
    return rows.toSorted((a, b) => placeOf(a) - placeOf(b)).map((row) => row.querySelector(`[aria-colindex="${at}"]`)?.textContent ?? '');
  }, column);
/** The same as numbers. */
async function figures(column: number): Promise<number[]> {
  const texts = await textsOf(column);
  return texts.map((text) => Number(text.replaceAll(',', '')));
}
const names = () => textsOf(1);
const falling = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => b - a);
/** Waits until the figures fall from row to row: the address says the order before the rows stand in it. */
const falls = (read: () => Promise<number[]>): Promise<void> =>
  vi.waitFor(async () => {
    const numbers = await read();
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual(falling(numbers));
  }, 15_000);

test('[LT8] by keys alone clients are sorted by who has most unreconciled accounts, by several columns, and not at all; the order outlives a reload and other filters', async () => {
  await page.goto(`${app.server.url}/clients`);
  await cells(1).first().waitFor();
  const usual = await names();
  expect(usual.length).toBeGreaterThan(6);
  const [entities, unreconciled] = [3, 5];
  await head('Client').getByRole('button').focus();
  for (const name of ['Organization', 'Entities', 'Accounts', 'Unreconciled']) {
    await page.keyboard.press('ArrowRight');
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
  await falls(() => figures(unreconciled));
  const most = await figures(unreconciled);
  expect(most[0]).toBeGreaterThan(most.at(-1) ?? 0);
  await page.getByText('Sorted by Unreconciled descending', { exact: true }).waitFor({ state: 'attached' });
  await looksRightIn({ context: app.context, page }, 'sorted-clients');

  await head('Entities').getByRole('button').focus();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect.poll(search).toBe('?sort=-unreconciled,-entities');
  await expect.poll(() => head('Entities').innerText()).toMatch(/2/);
  await falls(async () => {
    const [first, second] = [await figures(unreconciled), await figures(entities)];
    return first.map((count, at) => count * 1000 + (second[at] ?? 0));
  });
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
  await expect.poll(() => sorted('Entities')).toBe('none');
  await expect.poll(names).toEqual(usual);
}, 120_000);

test('[LT10] by keys alone columns are chosen and remembered, rows copied, and all is done with a row that may be', async () => {
  await page.goto(`${app.server.url}/clients`);
  await cells(1).first().waitFor();
  const [first = ''] = await names();
  await head('Accounts').getByRole('button').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: /^Hide/ }).press('Enter');
  await expect.poll(() => head('Accounts').count()).toBe(0);
  await page.reload();
  await cells(1).first().waitFor();
  expect([await head('Accounts').count(), await head('Entities').count()]).toEqual([0, 1]);
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Reset' }).press('Enter');
  await expect.poll(() => head('Accounts').count()).toBe(1);
  await page.keyboard.press('Escape');

  await cells(1).first().focus();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`^${first}\t[^\t]+\t\\d+$`));
  await page.keyboard.press('Escape');

  const dialog = page.getByRole('dialog', { name: 'Update Client' });
  await cells(1).first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Update Client' }).waitFor();
  expect(await dialog.getByLabel('Client Name').inputValue()).toBe(first);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await cells(4).first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  const menu = page.getByRole('menu', { name: 'Cell' });
  expect(await menu.getByRole('menuitem').allTextContents()).toEqual(
    expect.arrayContaining(['Copy row', 'People', 'Archived Assets', 'Update', 'Delete']),
  );
  await menu.getByRole('menuitem', { name: 'Update' }).press('Enter');
  await dialog.getByRole('button', { name: 'Update Client' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}, 60_000);

test('[LT9] on a narrow screen the same columns are a choice above the cards', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app.server.url}/clients?sort=-client`);
  const cards = page.getByRole('grid', { name: 'Clients' });
  const shown = async () => (await textsOf(1)).map((text) => clients.find((name) => text.startsWith(name)) ?? text);
  await cards.getByRole('link').first().waitFor();
  // those below what one sees are written after
  await expect.poll(async () => (await textsOf(1)).includes('')).toBe(false);
  const clients = await cards.getByRole('link').allTextContents();
  const fromLast = await shown();
  await page.getByRole('button', { name: 'Sort: Client descending' }).press('Enter');
  const menu = page.getByRole('dialog', { name: 'Sort' });
  const line = (name: string) => menu.getByRole('list', { name: 'Sort by' }).getByRole('button', { name });
  await menu.getByRole('listitem').first().waitFor();
  expect(await menu.getByRole('listitem').locator('span:first-child').allTextContents()).toEqual(
    expect.arrayContaining(['Client', 'Entities', 'Accounts', 'Unreconciled', 'AUM (USD)', 'Last update (UTC)']),
  );
  await menu.getByRole('button', { name: 'Usual order' }).press('Enter');
  await expect.poll(search).toBe('');
  await expect.poll(shown).toEqual(fromLast.toReversed());
  await line('Unreconciled').press('Enter');
  await line('Unreconciled').press('Enter');
  await expect.poll(search).toBe('?sort=-unreconciled');
  await falls(async () => {
    const words = await textsOf(1);
    return words.map((text) => Number(/(\d+) unreconciled/.exec(text)?.[1] ?? 0));
  });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
}, 60_000);
