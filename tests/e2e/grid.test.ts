import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, type RunningServer } from '#tests/support/e2e.ts';

// The grid by keyboard alone, as only a browser shows it: focus, clipboard, storage and real scrolling.

let app: DemoApp;
let server: RunningServer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await openDemo('grid', { transactions: 25_000, syncedWithinMs: 90_000 });
  ({ server, context, page } = app);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
});
afterAll(() => app?.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
/** Row and column of the cell that has the focus. */
const focused = () =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('[data-column]');
    return cell ? [Number(cell.closest('[data-row]')?.getAttribute('data-row')), Number(cell.getAttribute('data-column'))] : null;
  });
const heads = () => page.getByRole('columnheader').allInnerTexts();
const totals = () => page.getByRole('region', { name: 'Totals' });

async function openList(): Promise<void> {
  await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all`);
  await page.locator('[data-row="20"] [role=gridcell]:not(:has(.bone))').first().waitFor();
}

/** From the head of a column its menu, by key. */
async function chooseOfColumn(name: RegExp, ...choices: string[]): Promise<void> {
  await page.getByRole('columnheader', { name }).getByRole('button').first().focus();
  await press('Alt+ArrowDown');
  for (const choice of choices) {
    const item = page.getByRole('menuitem', { name: choice });
    while (!(await item.evaluate((element) => element === document.activeElement))) await press('ArrowDown');
    await press('Enter');
  }
  if ((await page.getByRole('menu').count()) > 0) await press('Escape');
}

describe('the grid', () => {
  test('[GR40] by keys alone one walks the cells, selects rows and cells, and copies them to a spreadsheet', async () => {
    await openList();
    await page.locator('[role=columnheader] button[tabindex="0"]').focus();
    await press('ArrowDown');
    await expect.poll(focused).toEqual([0, 0]);
    await press('j', 'ArrowDown', 'k', 'ArrowRight', 'ArrowRight');
    await expect.poll(focused).toEqual([1, 2]);
    await press('Shift+ArrowRight', 'Shift+ArrowDown', 'Control+c');
    await expect.poll(clipboard).toMatch(/^[^\t\n]+\t[^\t\n]*\n[^\t\n]+\t[^\t\n]*$/);
    await press('End');
    const cells = await page.getByRole('grid').getAttribute('aria-colcount');
    await expect.poll(focused).toEqual([2, Number(cells) - 1]);
    await press('Home', 'PageDown', 'Control+Home');
    await expect.poll(focused).toEqual([0, 0]);

    await press('Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
    await expect.poll(() => totals().innerText()).toMatch(/3 rows selected/);
    await press('Control+c');
    await expect.poll(clipboard).toMatch(/^Date \(UTC\)\tAccount\t/);
    expect((await clipboard()).split('\n')).toHaveLength(4);
    expect(await clipboard()).toMatch(/\t-?\d+\.?\d*\t[A-Z]/);

    const all = await rowCount(page);
    await press('Control+a');
    await expect.poll(() => totals().innerText()).toContain(`${all.toLocaleString('en-US')} rows selected`);
    await press('Control+c');
    await expect.poll(async () => (await clipboard()).split('\n').length, { timeout: 30_000 }).toBe(all + 1);
    await press('Escape');
    await expect.poll(() => totals().innerText()).not.toContain('selected');
  });

  test('[GR41] by keys alone a column is resized, pinned, moved and hidden, and stays so after a reload', async () => {
    await openList();
    const account = page.getByRole('columnheader', { name: /Account/ });
    const before = (await account.boundingBox())?.width ?? 0;
    await chooseOfColumn(/Account/, 'Wider', 'Wider');
    await expect.poll(async () => (await account.boundingBox())?.width).toBe(before + 48);
    await chooseOfColumn(/Security/, 'Pin left');
    await chooseOfColumn(/Type/, 'Move right');
    await chooseOfColumn(/Price/, 'Hide column');
    await expect.poll(heads).not.toContain('Price');
    expect((await heads()).slice(0, 5)).toEqual(['Date (UTC)', 'Security', 'Account', 'Quantity', 'Type']);
    await page.reload();
    await page.locator('[data-row="20"] [role=gridcell]:not(:has(.bone))').first().waitFor();
    expect((await heads()).slice(0, 5)).toEqual(['Date (UTC)', 'Security', 'Account', 'Quantity', 'Type']);
    expect((await account.boundingBox())?.width).toBe(before + 48);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    await press('Escape');
    await expect.poll(heads).toContain('Price');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('transaction_columns')))).toEqual([]);
  });

  test('[GR42] the thumb at its end shows the last row, only rows and columns in view exist, and nothing is left blank', async () => {
    await openList();
    const all = await rowCount(page);
    const grid = page.getByRole('grid');
    await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight, left: element.scrollWidth }));
    await page
      .locator(`[data-row="${all - 1}"] [role=gridcell]:not(:has(.bone))`)
      .first()
      .waitFor();
    expect(await page.locator('[data-row]').count()).toBeLessThan(70);
    expect(await page.locator(`[data-row="${all - 1}"] [data-column="3"]`).count()).toBe(0);
    const inView = await grid.evaluate((element) => {
      const box = element.getBoundingClientRect();
      const at = document.elementFromPoint(box.left + 200, box.bottom - 20)?.closest('[data-row]');
      return Number(at?.getAttribute('data-row'));
    });
    expect(inView).toBe(all - 1);
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, -3_200);
    await page
      .locator(`[data-row="${all - 101}"] [role=gridcell]:not(:has(.bone))`)
      .first()
      .waitFor();
  });

  test('[GR52] once one stands still after a scroll up or down the rows lie in the page in their order', async () => {
    await openList();
    await page.mouse.move(700, 500);
    const inPage = () => page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-row'))));
    for (const distance of [1_000, -400]) {
      const before = await inPage();
      await page.mouse.wheel(0, distance);
      await expect.poll(async () => (await inPage()).at(-1)).not.toBe(before.at(-1));
      await expect.poll(async () => (await inPage()).every((row, at, rows) => at === 0 || row > (rows[at - 1] ?? row))).toBe(true);
    }
  });

  test('[GR64] what is pinned stays where it is however far one scrolls sideways; a text too long for its cell ends within it', async () => {
    await openList();
    const head = page.getByRole('columnheader', { name: /Date/ });
    const cell = page.locator('[data-row="5"] [data-column="0"]');
    const lefts = async () => [await head.boundingBox(), await cell.boundingBox()].map((box) => box?.x);
    const still = await lefts();
    expect(still[0]).toBe(still[1]);
    await page.getByRole('grid').evaluate((element) => element.scrollTo({ left: 500 }));
    await page.locator('[data-row="5"] [data-column="9"]').waitFor();
    await expect.poll(lefts).toEqual(still);
    await page.getByRole('grid').evaluate((element) => element.scrollTo({ left: 0 }));
    await page.locator('[data-row="5"] [data-column="1"]').waitFor();
    expect(await lefts()).toEqual(still);
    await chooseOfColumn(/Account/, 'Narrower', 'Narrower', 'Narrower');
    /** Texts beyond the end of what they are in: those that are cut off there, and the others. */
    const tooLong = (): Promise<{ cut: number; others: string[] }> =>
      page.locator('[data-row] [data-painted], [data-row] [data-painted] *').evaluateAll((all) => {
        const beyond = all.filter((element) => element.scrollWidth > element.clientWidth && element.clientWidth > 0);
        const others = beyond.filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis');
        return { cut: beyond.length - others.length, others: others.map(({ textContent }) => textContent) };
      });
    await expect.poll(async () => (await tooLong()).cut).toBeGreaterThan(3);
    expect((await tooLong()).others).toEqual([]);
    await chooseOfColumn(/Account/, 'Wider', 'Wider', 'Wider');
  });

  test('[GR43] a key narrows the list to a cell, several columns sort it, and both are said', async () => {
    await openList();
    const all = await rowCount(page);
    await page.locator('[data-row="3"] [data-column="2"]').focus();
    await press('f');
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    await expect.poll(focused).toEqual([0, 2]);
    await page
      .getByRole('columnheader', { name: /USD value/ })
      .getByRole('button')
      .first()
      .focus();
    await press('Enter');
    await expect.poll(() => page.getByText('Sorted by USD value ascending', { exact: true }).count()).toBe(1);
    await press('ArrowRight', 'Shift+Enter');
    await expect.poll(() => page.getByText('Sorted by USD value ascending, then Match ascending').count()).toBe(1);
    expect(await page.getByRole('columnheader', { name: /Match/ }).innerText()).toMatch(/Match\s*2/);
  });
});
