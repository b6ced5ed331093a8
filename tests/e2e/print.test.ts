import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, type RunningServer } from '#tests/support/e2e.ts';

// A browser without a person has no dialog to print by: what the app asks it to print is looked at as the page then prints.

let app: DemoApp;
let server: RunningServer;
let page: Page;

declare global {
  interface Window {
    /** How often the app asked to print. */
    asked?: number;
  }
}

beforeAll(async () => {
  app = await openDemo('print', { transactions: 14_000, syncedWithinMs: 90_000 });
  ({ server, page } = app);
  await page.addInitScript(() => {
    window.print = () => {
      window.asked = (window.asked ?? 0) + 1;
    };
  });
});
afterEach(() => page.emulateMedia({ media: null }));
afterAll(() => app?.close());

const onPaper = async (): Promise<void> => {
  // the order in which a browser prints
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.getByText(/^Printed \d/).waitFor();
};
const onScreen = () => page.emulateMedia({ media: null });
const list = () => page.getByRole('table', { name: 'Transactions' });
/** On the screen it is there, and hidden. */
const prepared = () => page.getByRole('table', { name: 'Transactions', includeHidden: true });
const asked = () => page.evaluate(() => window.asked ?? 0);
const open = async (search: string): Promise<void> => {
  await page.goto(`${server.url}/transactions?${search}`);
  await page.locator('[data-row="5"] [role=gridcell]:not(:has(.bone))').first().waitFor();
};
/**
 * Asks for the whole list until it lies ready as the page prints. A browser looks at it at once; here it may change before, be it that
 * more of it is synced, and what was read is then printed no more.
 */
async function printedWhole(ask: () => Promise<void>, isReady: () => Promise<boolean>): Promise<void> {
  const isPrinted = async (): Promise<boolean> => {
    await onScreen();
    const times = await asked();
    await ask();
    await expect.poll(asked, { timeout: 30_000 }).toBe(times + 1);
    return isReady();
  };
  await expect.poll(isPrinted, { timeout: 60_000 }).toBe(true);
}
const cellsOf = (at: number) => list().locator(`tbody tr td:nth-child(${at})`).allInnerTexts();
const heads = () => list().getByRole('columnheader').allInnerTexts();
async function pagesOf(): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
const master = `entity=${demoIdOf.entity('Meridian Master Fund LP')}`;
const holdings = `entity=${demoIdOf.entity('Hawthorne Holdings LLC')}`;

describe('printing', () => {
  test('[PR3] a list of transactions prints exactly its filtered rows in their order, with its filter, zone and totals', async () => {
    await open(`${master}&dates=all&q=buy&sort=usd_value`);
    const ask = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Export/ }).click();
      await page.getByRole('menuitem', { name: /^Print/ }).click();
    };
    let [count, net] = [0, ''];
    await printedWhole(ask, async () => {
      count = await rowCount(page);
      net = await page.getByRole('region', { name: 'Totals', exact: true }).innerText();
      await onPaper();
      return (await list().locator('tbody tr').count()) === count;
    });
    expect(count).toBeGreaterThan(100);
    expect((await heads()).slice(0, 4)).toEqual(['Date (UTC)', 'Account', 'Type', 'Security']);
    const usd = (await cellsOf((await heads()).indexOf('USD value') + 1))
      .filter((text) => /\d/.test(text))
      .map((text) => Number(text.replaceAll(/[,)]/g, '').replace('(', '-')));
    expect(usd).toEqual(usd.toSorted((a, b) => a - b));
    const words = await page.locator('body').innerText();
    expect(words).toContain('Transactions of Meridian Master Fund LP');
    expect(words).toMatch(/Meridian Digital Assets \/ Meridian Master Fund LP/);
    expect(words).toMatch(/Printed \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/);
    expect(words).toMatch(/Search: buy/);
    expect(words).toMatch(/Order: USD value ascending/);
    expect(words).toContain(`Rows: ${count.toLocaleString('en-US')}`);
    const sums = await page.getByRole('table', { name: 'Totals in US dollars' }).locator('tbody td').allInnerTexts();
    expect(sums[0]).toBe(count.toLocaleString('en-US'));
    for (const sum of sums.slice(1)) expect(net).toContain(sum);
    expect(
      await page
        .getByRole('table', { name: /^Per asset/ })
        .locator('tbody tr')
        .count(),
    ).toBeGreaterThan(3);
    expect(await page.getByRole('grid').isVisible()).toBe(false);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await onScreen();
    await expect.poll(() => prepared().count()).toBe(0);
  });

  test('[PR4] by the keys of the browser the whole list is printed over as many pages as it takes, and is gone after', async () => {
    await open(`${holdings}&dates=all`);
    await rowCount(page);
    await printedWhole(
      () => page.keyboard.press('Control+p'),
      async () => (await prepared().locator('tbody tr').count()) === (await rowCount(page)) && (await pagesOf()) > 10,
    );
    await expect.poll(() => prepared().count()).toBe(0);
  });

  test('[PR5] a list of too many rows says so, prints nothing, and offers a file', async () => {
    await open('client=all&dates=all');
    await expect.poll(() => rowCount(page)).toBeGreaterThan(5_000);
    await page.keyboard.press('Control+p');
    const notice = page.getByRole('log', { name: 'Notices' });
    await expect.poll(() => notice.innerText()).toMatch(/rows are too many to print: at most 5,000 are\. Nothing was printed\./);
    expect(await asked()).toBe(0);
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    const saved = page.waitForEvent('download');
    await notice.getByRole('button', { name: 'Export CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  });

  test('[PR6] what the browser prints by itself says how many of the rows are there, and how to print them all', async () => {
    await open('client=all&dates=all');
    await expect.poll(() => rowCount(page)).toBeGreaterThan(5_000);
    const count = (await rowCount(page)).toLocaleString('en-US');
    await onPaper();
    const shown = await list().locator('tbody tr').count();
    expect(shown).toBeGreaterThan(10);
    const words = await page.getByRole('main').innerText();
    expect(words).toContain(`Only ${shown} of ${count} rows on this paper: those in view. To print all of them choose Print under Export`);
    expect(words).toMatch(/Dates: all/);
    await onScreen();
    expect(await page.getByRole('grid').isVisible()).toBe(true);
  });

  test('[PR7] Home prints all of its entities, and in the light theme where the screen is dark', async () => {
    await page.evaluate(() => localStorage.setItem('theme', 'dark'));
    await page.goto(`${server.url}/home?show=all`);
    await page.getByRole('gridcell').first().waitFor();
    const colours = () =>
      page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).colorScheme]);
    expect(await colours()).toEqual(['rgb(231, 237, 245)', 'dark']);
    await page.setViewportSize({ width: 1440, height: 320 });
    const count = await rowCount(page);
    await onPaper();
    expect(await colours()).toEqual(['rgb(22, 32, 47)', 'light']);
    const rows = page.getByRole('table', { name: 'Entities' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(count);
    expect(await page.getByRole('main').innerText()).toMatch(/Entities: All/);
    await onScreen();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => localStorage.setItem('theme', 'light'));
  });

  test('[PR8] every screen prints whole, with its title, scope and moment, without menu, bar and buttons', async () => {
    const entity = demoIdOf.entity('Meridian Master Fund LP');
    const screens = [
      ['/clients', 'Clients'],
      ['/entities?name=meridian&active=1', 'Entities'],
      [`/entities/${entity}`, 'Meridian Master Fund LP'],
      ['/users', 'Users'],
      ['/audit?action=update', 'Audit trail'],
      ['/outbox', 'Outbox'],
      ['/settings', 'Settings'],
    ] as const;
    await page.setViewportSize({ width: 1000, height: 400 });
    for (const [path, title] of screens) {
      await onScreen();
      await page.goto(`${server.url}${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await onPaper();
      expect([path, await page.getByRole('heading', { level: 1, name: title }).isVisible()]).toEqual([path, true]);
      expect([path, await page.locator('#root').innerText()]).toEqual([
        path,
        expect.stringMatching(/Printed \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/),
      ]);
      for (const gone of [page.getByRole('navigation', { name: 'Main' }), page.getByRole('button', { name: 'User menu' })])
        expect([path, await gone.isVisible()]).toEqual([path, false]);
      const clipped = await page.evaluate(() => {
        const main = document.querySelector('main');
        return [document.body, main, ...(main?.querySelectorAll('div') ?? [])].filter(
          (box) => box && getComputedStyle(box).overflowY !== 'visible' && box.scrollHeight > box.clientHeight + 1,
        ).length;
      });
      expect([path, clipped]).toEqual([path, 0]);
      expect([
        path,
        await page.evaluate(
          () => (document.querySelector('main')?.getBoundingClientRect().height ?? 0) < document.documentElement.scrollHeight + 1,
        ),
      ]).toEqual([path, true]);
    }
    await page.goto(`${server.url}/entities?name=meridian&active=1`);
    await page.getByRole('heading', { level: 1, name: 'Entities' }).waitFor();
    const words = await page.getByRole('main').innerText();
    expect(words).toMatch(/Status: Active\s+Name contains: meridian/);
    await onScreen();
  });
});
