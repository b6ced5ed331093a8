import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, rowsWritten, type RunningServer } from '#tests/support/e2e.ts';

// Where the keyboard is once what it was at is gone.

const entity = demoIdOf.entity('Meridian Master Fund LP');
let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('focus');
  ({ server, page } = app);
});
afterAll(() => app?.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const bar = () => page.getByRole('search', { name: 'Filters' });
const details = () => page.getByRole('complementary', { name: 'Transaction' });
const cell = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);

/** What has the focus: a cell by its row and column, anything else by its name, or its role where it has none. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (at === null || at === document.body) return 'nothing';
    const row = at.closest('[data-row]')?.getAttribute('data-row');
    if (row) return `cell ${row} ${at.getAttribute('data-column')}`;
    return at.getAttribute('role') ?? at.getAttribute('aria-label') ?? at.textContent ?? '';
  });

/** What stands in a row, and in the one that has the focus. */
const rowText = (row: number) => page.locator(`[data-row="${row}"]`).innerText();
const focusedText = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.innerText ?? null);

async function open(more = ''): Promise<number> {
  await page.goto(`${server.url}/transactions?entity=${entity}&dates=all${more}`);
  await page
    .getByRole('row')
    .filter({ hasText: /\d\d:\d\d/ })
    .first()
    .waitFor();
  // names are read after the rows, and what stands in a row is compared below
  await expect.poll(() => rowText(0)).not.toMatch(/Unknown|\b[0-9a-f]{8}-[0-9a-f]{4}-/);
  await rowsWritten(page);
  return rowCount(page);
}

async function anId(): Promise<string> {
  return page.evaluate(async (id) => {
    const answer = await fetch(`/api/transactions?entity_id=${id}&start_date=2020-01-01&limit=1`);
    return ((await answer.json()) as { id: string }[])[0]?.id ?? '';
  }, entity);
}

describe('the focus', () => {
  test('[GR44] where a filter leaves no row the list has the focus, and a row again once there is one', async () => {
    await open(`&hashes=${await anId()}`);
    for (const how of ['key', 'menu']) {
      await cell(0, 1).focus();
      if (how === 'key') await press('Shift+F');
      else {
        await press('Shift+F10');
        await page.getByRole('menu', { name: 'Cell' }).waitFor();
        await press('ArrowDown', 'Enter');
      }
      await page.getByText('No transactions here').waitFor();
      await expect.poll(focused, { message: how }).toBe('grid');
      await press('Tab', 'Tab');
      expect(await focused()).toBe('Clear filters');
      await press('Enter');
      await expect.poll(focused, { message: how }).toBe('cell 0 1');
      await open(`&hashes=${await anId()}`);
    }
  });

  test('[GR45] a row that leaves the list leaves the focus to the next one in its place, the last one to the one before', async () => {
    const pending = await open('&match=PENDING');
    await cell(1, 3).focus();
    // the other side of the pair is above it, and leaves with it
    const next = await rowText(2);
    await press('u');
    await expect.poll(() => rowCount(page)).toBe(pending - 2);
    await expect.poll(focusedText).toBe(next);
    expect(await focused()).toBe('cell 0 3');
    const before = await rowCount(page);
    await press('Control+End');
    await expect.poll(focused).toBe(`cell ${before - 1} 3`);
    // the focus is there before the row is
    await page
      .locator(`[data-row="${before - 1}"] [role=gridcell]:not(:has(.bone))`)
      .first()
      .waitFor();
    await press('u');
    await expect.poll(() => rowCount(page)).toBeLessThan(before);
    await expect.poll(focused).toBe(`cell ${(await rowCount(page)) - 1} 3`);
  });

  test('[GR58] what one reads stays where it is while rows leave above it', async () => {
    const all = await open('&match=PENDING');
    await cell(0, 1).focus();
    /** The first row one sees whole, and how far below the top of the list it is. */
    const seen = () =>
      page.getByRole('grid').evaluate((grid) => {
        const top = grid.getBoundingClientRect().top;
        const head = grid.querySelector('[role=columnheader]')?.getBoundingClientRect().height ?? 0;
        const away = (row: Element): number => Math.round(row.getBoundingClientRect().top - top);
        const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => away(row) >= head);
        const first = rows.toSorted((a, b) => away(a) - away(b))[0];
        return first && [first.innerText, away(first)];
      });
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, 333);
    await expect.poll(() => page.getByRole('grid').evaluate((grid) => grid.scrollTop)).toBe(333);
    const before = await seen();
    await press('u');
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    await expect.poll(seen).toEqual(before);
  });

  test('[GR46] details whose row leaves the list keep the focus while another row takes its place', async () => {
    const pending = await open('&match=PENDING');
    await cell(1, 0).focus();
    const next = await rowText(2);
    await press('Enter');
    await details().getByRole('button', { name: 'Not a transfer' }).focus();
    await press('Enter');
    await expect.poll(() => rowCount(page)).toBeLessThan(pending);
    await expect.poll(focused).toBe('Transaction');
    await press('Escape');
    await expect.poll(focusedText).toBe(next);
    expect(await focused()).toMatch(/^cell \d+ 0$/);
  });

  test('[GR47] a selection that is let go of leaves the focus in the list', async () => {
    await open();
    await cell(2, 1).focus();
    await press('Space');
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await expect.poll(focused).toBe('cell 2 1');
  });

  test('[GR51] a column moved to an end by its button leaves the focus on the button', async () => {
    await open();
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('button', { name: 'Move Type up' }).focus();
    await press('Enter', 'Enter', 'Enter', 'Enter');
    expect((await page.getByRole('list', { name: 'Columns' }).innerText()).split('\n').slice(0, 2)).toEqual(['Date (UTC)', 'Type']);
    await expect.poll(focused).toBe('Move Type up');
    await page.getByRole('button', { name: 'Reset' }).press('Enter');
  });

  test('[TF30] a filter taken away by its cross, or with all others, leaves the focus in the bar', async () => {
    await open('&type=1&usd_value=>10&manual=not');
    await bar().getByRole('button', { name: 'Remove Type filter' }).click();
    await expect.poll(focused).toBe('Type');
    await bar().getByRole('button', { name: 'Remove USD value filter' }).click();
    await expect.poll(focused).toMatch(/^Manual/);
    await bar().getByRole('button', { name: 'Clear' }).press('Enter');
    await expect.poll(focused).toMatch(/Filter$/);
    await bar()
      .getByRole('button', { name: /^Account/ })
      .press('Enter');
    await page.getByLabel('Find account').waitFor();
    await press('Tab', 'Enter');
    await expect.poll(focused).toBe('All');
    await press('Escape');
    await expect.poll(focused).toMatch(/^Account/);
  });

  test('[EX20] an export that begins and ends leaves the focus where it was', async () => {
    await open();
    // no person is there to say where the file goes
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    await page.getByRole('button', { name: /^Export/ }).press('Enter');
    await page.getByRole('menuitem', { name: /CSV/ }).waitFor();
    const saved = page.waitForEvent('download');
    await press('Enter');
    await saved;
    await expect.poll(focused).toMatch(/^Export/);
  });
});
