import type { BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer } from '#tests/support/e2e.ts';

// The list under a finger, on a phone and on a tablet, with real touches.

const phone = { width: 390, height: 844 };
const tablet = { width: 1024, height: 768 };
let app: DemoApp;
let server: RunningServer;
let context: BrowserContext;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  app = await openDemo('touch', { viewport: phone, hasTouch: true });
  ({ server, context, page } = app);
  session = await context.newCDPSession(page);
});
afterAll(() => app?.close());

const row = (index: number) => page.locator(`[data-row="${index}"]`);
const totals = () => page.getByRole('region', { name: 'Totals' });
const details = () => page.getByRole('complementary', { name: 'Transaction' });
const said = () => totals().locator('[aria-live]').innerText();

async function open(viewport: { width: number; height: number }, more = ''): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all${more}`);
  await row(9).locator('[role=gridcell]:not(:has(.bone))').first().waitFor();
}

async function middleOf(index: number): Promise<{ x: number; y: number }> {
  const box = await row(index).boundingBox();
  return box ? { x: box.x + 200, y: box.y + box.height / 2 } : { x: 0, y: 0 };
}

async function tap(index: number): Promise<void> {
  const { x, y } = await middleOf(index);
  await page.touchscreen.tap(x, y);
}

/** Puts a finger on a row and lifts it once what a long press does is to be seen. */
async function pressLong(index: number, isSeen: () => Promise<void>): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await middleOf(index)] });
  await isSeen();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const select = (index: number, words: string) => pressLong(index, () => expect.poll(said).toBe(words));

const bar = () => page.getByRole('search', { name: 'Filters' });
const orderSaid = () => page.locator('[aria-live]').filter({ hasText: /^(Usual order|Sorted by )/ });

describe('touch', () => {
  test('[GR48] with nothing selected a tap opens a card, and a finger that moves scrolls and selects nothing', async () => {
    await open(phone);
    const { x, y } = await middleOf(8);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    for (let by = 20; by <= 320; by += 20)
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - by }] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => page.getByRole('grid').evaluate((grid) => grid.scrollTop)).toBeGreaterThan(200);
    expect([await said(), await details().count()]).toEqual([expect.not.stringContaining('selected'), 0]);
    await open(phone);
    await tap(1);
    await details().waitFor();
    await details().getByRole('button', { name: 'Close' }).tap();
    await expect.poll(() => details().count()).toBe(0);
  });

  test('[GR48] a long press selects a card; taps then select and let go; with the last one gone a tap opens again', async () => {
    await open(phone);
    await select(2, '1 row selected');
    expect(await row(2).getAttribute('aria-selected')).toBe('true');
    await tap(4);
    await expect.poll(said).toBe('2 rows selected');
    await tap(2);
    await expect.poll(said).toBe('1 row selected');
    expect([await page.getByRole('menu').count(), await details().count()]).toEqual([0, 0]);
    await tap(4);
    await expect.poll(said).not.toContain('selected');
    await tap(4);
    await details().waitFor();
    await page.keyboard.press('Escape');
  });

  test('[GR48] what is selected is let go of by a button and by Escape, and marked by buttons within reach', async () => {
    await open(phone, '&match=PENDING');
    await select(0, '1 row selected');
    await page.keyboard.press('Escape');
    await expect.poll(said).not.toContain('selected');
    await select(0, '1 row selected');
    await totals().getByRole('button', { name: 'Clear selection' }).tap();
    await expect.poll(said).not.toContain('selected');
    await select(1, '1 row selected');
    await tap(3);
    for (const name of ['Mark transfer', 'Not a transfer', 'Select all rows', 'Clear selection']) {
      const box = await totals().getByRole('button', { name }).boundingBox();
      expect([name, box && box.x >= 0 && box.x + box.width <= phone.width && box.y + box.height <= phone.height]).toEqual([name, true]);
    }
    await totals().getByRole('button', { name: 'Not a transfer' }).tap();
    await page.getByText(/rows? marked as not a transfer/).waitFor();
  });

  test('[GR49] selecting begins by a button, too: keys, switches and screen readers tell and choose every row', async () => {
    await open(phone);
    await totals().getByRole('button', { name: 'Select rows' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(said).toBe('0 rows selected');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear selection');
    expect(await totals().getByRole('button', { name: 'Mark transfer' }).isDisabled()).toBe(true);
    // a switch or a screen reader clicks without a pointer
    const cell = row(3).getByRole('gridcell');
    await cell.evaluate((element) => (element as HTMLElement).click());
    await expect.poll(said).toBe('1 row selected');
    expect(await cell.getAttribute('aria-selected')).toBe('true');
    await totals().getByRole('button', { name: 'Select all rows' }).press('Enter');
    await expect.poll(said).toMatch(/^[\d,]{3,} rows selected$/);
    await page.keyboard.press('Escape');
    await expect.poll(said).not.toContain('selected');
    expect(await totals().getByRole('button', { name: 'Select rows' }).count()).toBe(1);
  });

  test('[GR50] where rows have boxes a long press opens the menu of a cell, which selects; taps then select, too', async () => {
    await open(tablet);
    const menu = page.getByRole('menu', { name: 'Cell' });
    await pressLong(3, () => menu.waitFor());
    await menu.getByRole('menuitem', { name: 'Select row' }).tap();
    await expect.poll(said).toBe('1 row selected');
    await tap(5);
    await expect.poll(said).toBe('2 rows selected');
    expect(await details().count()).toBe(0);
    await totals().getByRole('button', { name: 'Clear selection' }).tap();
    await tap(5);
    await details().waitFor();
  });

  test('[GR50] a mouse opens a row whatever is selected, and its right key opens the menu', async () => {
    await open(tablet);
    await row(2).locator('[data-select]').click();
    await expect.poll(said).toBe('1 row selected');
    await row(4).locator('[data-column="0"]').click();
    await details().waitFor();
    expect(await said()).toBe('1 row selected');
    await row(4).locator('[data-column="0"]').click({ button: 'right' });
    await page.getByRole('menu', { name: 'Cell' }).waitFor();
  });

  test('[NS1] cards are sorted from a menu: by several columns, each with its arrow and place, and back to the usual order', async () => {
    await open(phone);
    // names come a moment after the rows
    await expect.poll(() => row(0).innerText()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    const usual = await row(0).innerText();
    await bar().getByRole('button', { name: 'Sort', exact: true }).tap();
    const sort = page.getByRole('dialog', { name: 'Sort' });
    await expect.poll(() => sort.getByRole('listitem').count()).toBe(16);
    const column = (name: RegExp) => sort.getByRole('button', { name });
    await column(/^Type not sorted$/).tap();
    await column(/^Type ascending$/).waitFor();
    await column(/^USD value/).tap();
    await column(/^USD value ascending, 2 of 2$/).tap();
    await column(/^USD value descending, 2 of 2$/).waitFor();
    expect(await column(/^Type ascending, 1 of 2$/).innerText()).toMatch(/ascending\s+1$/);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('type,-usd_value');
    expect(await orderSaid().innerText()).toBe('Sorted by Type ascending, then USD value descending');
    await column(/^USD value/).tap();
    await column(/^USD value not sorted$/).waitFor();
    await column(/^Date/).tap();
    await page.keyboard.press('Escape');
    const button = bar().getByRole('button', { name: 'Sort: Type ascending, then Date (UTC) ascending' });
    await button.waitFor();
    await expect.poll(() => row(0).innerText()).not.toBe(usual);
    // and by keys alone
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await sort.waitFor();
    const back = sort.getByRole('button', { name: 'Usual order' });
    for (let stops = 0; stops < 20 && !(await back.evaluate((element) => element === document.activeElement)); stops += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => orderSaid().innerText()).toBe('Usual order');
    await page.keyboard.press('Escape');
    await bar().getByRole('button', { name: 'Sort', exact: true }).waitFor();
    await expect.poll(() => row(0).innerText()).toBe(usual);
  });

  test('[NS2] of a list of several entities each card says which one it is of, in two lines; of one entity none does', async () => {
    const entity = /Meridian Master Fund LP|Meridian Liquid Token Fund LP|Meridian Offshore Feeder Ltd|Hawthorne|Eleanor/;
    await open(phone);
    expect(await row(0).innerText()).not.toMatch(entity);
    await page.goto(`${server.url}/transactions?client=all&dates=all`);
    await row(9).locator('[role=gridcell]:not(:has(.bone))').first().waitFor();
    for (const index of [0, 3, 6, 9]) {
      // the names come a moment after the rows
      await expect.poll(() => row(index).innerText()).toMatch(entity);
      expect((await row(index).boundingBox())?.height).toBe(64);
    }
    await tap(0);
    await details().getByText('Entity', { exact: true }).waitFor();
    await details().getByRole('button', { name: 'Filter by entity' }).tap();
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual([expect.stringMatching(/^Only /)]);
    await page.getByRole('menuitem').tap();
    await expect.poll(() => new URL(page.url()).searchParams.get('entity')).not.toBe(null);
  });

  test('[NS3] the list is narrowed to a value of a row, or to all others, from its details, by a tap and by keys', async () => {
    await open(phone);
    const all = await said();
    await tap(1);
    const account = details().getByRole('button', { name: 'Filter by account' });
    await account.tap();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Only /), expect.stringMatching(/^Not /)]);
    // the menu alone closes
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
    expect(await details().count()).toBe(1);
    await account.tap();
    await page.getByRole('menuitem', { name: /^Not / }).tap();
    await expect.poll(() => new URL(page.url()).searchParams.get('account')).toMatch(/^not:/);
    await expect.poll(said).not.toBe(all);
    expect(await details().count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null)).toBe(true);

    await open(phone);
    await row(0).getByRole('gridcell').focus();
    await page.keyboard.press('Enter');
    await details().waitFor();
    await details().getByRole('button', { name: 'Filter by match' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('match')).not.toBe(null);
    expect(await details().count()).toBe(0);
    // what has no value, or one of its own, offers nothing
    await open(phone);
    await tap(0);
    await details().waitFor();
    expect(await details().getByRole('button', { name: 'Filter by id', exact: true }).count()).toBe(0);
  });
});
