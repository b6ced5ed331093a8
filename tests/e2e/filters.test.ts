import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { seriousFaultsOf } from '#tests/support/axe.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, type RunningServer } from '#tests/support/e2e.ts';
import { whileHeld } from '#tests/support/held-table.ts';

// The filter bar by keys alone, in a real browser against the real server.

const entity = demoIdOf.entity('Meridian Master Fund LP');
let app: DemoApp;
let server: RunningServer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await openDemo('filters');
  ({ server, context, page } = app);
});
afterAll(() => app?.close());

const bar = () => page.getByRole('search', { name: 'Filters' });
const pill = (name: RegExp) => bar().getByRole('button', { name }).first();
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
const address = () => new URL(page.url()).searchParams;

/** A row with a time in it is none of the grey bars that stand where rows will be. */
const row = () =>
  page
    .getByRole('row')
    .filter({ hasText: /\d\d:\d\d/ })
    .first();

async function open(more = '&dates=all'): Promise<number> {
  await page.goto(`${server.url}/transactions?entity=${entity}${more}`);
  await row().waitFor();
  return rowCount(page);
}

/** Opens the editor of a field by its key and its name. */
async function editor(field: string): Promise<void> {
  await page.keyboard.press('Alt+f');
  await page.getByLabel('Find a field').waitFor();
  await page.keyboard.type(field);
  await page.keyboard.press('Enter');
  await page.locator('[data-editor]').waitFor();
}

/** Pastes as a person does: the clipboard's text arrives where the focus is. */
async function paste(text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

describe('filters', () => {
  test('[TF23] by keys alone a filter is added, survives a reload, is changed, left as it was, and taken away', async () => {
    const all = await open();
    await editor('usd value');
    await page.keyboard.type('1e999');
    await page.keyboard.press('Enter');
    await page.getByText('Write an amount such as >100, 10-50 or (25)').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('>1k');
    await page.getByText('Greater than 1,000 in size').waitFor();
    await page.keyboard.press('Enter');
    await pill(/USD value > 1,000/).waitFor();
    expect(address().get('usd_value')).toBe('>1000');
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    const few = await rowCount(page);

    await page.reload();
    await expect.poll(() => rowCount(page)).toBe(few);
    await pill(/USD value > 1,000/).focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-editor] input').fill('>5000');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toContain('USD value');
    expect(address().get('usd_value')).toBe('>1000');

    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toContain('Custodian');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await expect.poll(() => rowCount(page)).toBe(all);
    expect(address().get('usd_value')).toBeNull();
    expect(await focused()).toContain('Filter');
  });

  test('[TF29] leaving an editor applies what was typed, whatever is pressed; what means nothing is left out and said', async () => {
    await open();
    await editor('usd value');
    await page.keyboard.type('>500');
    // this button opens a menu and takes no focus by itself
    await page.getByRole('status').first().click();
    await expect.poll(() => address().get('usd_value')).toBe('>500');
    await page.keyboard.press('Escape');
    await editor('quantity');
    await page.keyboard.type('1-2-3');
    await page.keyboard.press('Alt+f');
    await page.getByText(/Quantity “1-2-3” was left out/).waitFor();
    await page.getByLabel('Find a field').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toContain('Filter');
    expect(address().get('quantity')).toBeNull();
    await bar().getByRole('button', { name: 'Clear' }).press('Enter');
  });

  test('[TF24] a list can be turned round, shows how many rows each value has, and goes back at Escape', async () => {
    const all = await open();
    await editor('account');
    // the names come after the list, and with their counts the order they keep
    await page.locator('[data-editor] li .figures').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await pill(/^Account is /).waitFor();
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    const counted = await page.locator('[data-editor] li').first().locator('.figures').textContent();
    await expect.poll(() => rowCount(page)).toBe(Number(counted?.replaceAll(',', '')));
    const those = await rowCount(page);
    await page.getByRole('radio', { name: 'is not' }).press('ArrowRight');
    await page.getByRole('radio', { name: 'is not' }).check({ force: true });
    await pill(/^Account is not /).waitFor();
    await expect.poll(() => rowCount(page)).toBe(all - those);
    await page.getByLabel('Find account').press('Enter');
    expect(address().get('account')).toMatch(/^not:[\w-]+$/);

    await pill(/^Account is not /).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Find account').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect.poll(() => rowCount(page)).toBe(all);
    await page.keyboard.press('Escape');
    await expect.poll(() => rowCount(page)).toBe(all - those);
    await bar().getByRole('button', { name: 'Clear' }).press('Enter');
    await expect.poll(() => rowCount(page)).toBe(all);
    expect(Object.fromEntries(address())).toEqual({ entity, dates: 'all' });
  });

  test('[TF25] a column pasted into the search looks for its ids, can be undone, and outlives a reload however long it is', async () => {
    const all = await open();
    const ids = await page.evaluate(async (id) => {
      const answer = await fetch(`/api/transactions?entity_id=${id}&start_date=2020-01-01&limit=30`);
      return ((await answer.json()) as { id: string }[]).map((row) => row.id);
    }, entity);
    const absent = ['no-such-row-0001', 'no-such-row-0002'];
    await page.keyboard.press('/');
    await paste([...ids.slice(0, 3), ...absent].join('\n'));
    await expect.poll(() => rowCount(page)).toBe(3);
    expect(address().get('hashes')).toBe([...ids.slice(0, 3), ...absent].join(','));
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => rowCount(page)).toBe(all);

    await editor('hashes');
    await page.keyboard.insertText([...ids, ...absent].join('\n'));
    await page.getByText('32 to look for').waitFor();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => rowCount(page)).toBe(30);
    expect(address().get('hashes')).toMatch(/^kept:/);
    await page.reload();
    await expect.poll(() => rowCount(page)).toBe(30);
    await pill(/^Hashes or ids/).focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => rowCount(page)).toBe(all);

    await page.goto(`${server.url}/transactions?entity=${entity}&dates=all&hashes=kept:abcdef123456`);
    await page.getByText(/are not kept on this device/).waitFor();
    await expect.poll(() => rowCount(page)).toBe(all);
    expect(address().get('hashes')).toBeNull();
  });

  test('[TF26] all entities of a client are one list', async () => {
    const one = await open();
    await page.getByRole('button', { name: /Client and entity/ }).press('Enter');
    await page.getByRole('option', { name: 'All entities of Meridian Digital Assets' }).click();
    // the address says it before: the bar that is there until then goes with the list
    await page.getByRole('heading', { name: 'Transactions of all entities of Meridian Digital Assets' }).waitFor();
    expect(address().get('client')).not.toBeNull();
    await bar()
      .getByRole('button', { name: /^Dates/ })
      .press('Enter');
    await page.getByRole('button', { name: 'All dates', exact: true }).press('Enter');
    await expect.poll(() => rowCount(page)).toBeGreaterThan(one);
    await page.goto(`${server.url}/transactions?client=nobody`);
    await page.getByText('This client is not on this device').waitFor();
  });

  test('[TF27] a remembered security filter is to be seen, and gone once it was taken away', async () => {
    await open();
    await editor('security');
    await page.keyboard.type('BTC');
    await page.keyboard.press('Enter');
    await pill(/^Security is BTC/).waitFor();
    await page.goto(`${server.url}/home`);
    // it is said for five seconds
    const told = page.getByText('The security filter you last used here is on again').waitFor();
    await open('');
    await pill(/^Security is BTC/).waitFor();
    await told;
    await pill(/^Security is BTC/).focus();
    await page.keyboard.press('Delete');
    // it is remembered with what shows
    await pill(/^Security is BTC/).waitFor({ state: 'detached' });
    expect(address().get('security')).toBeNull();
    await page.goto(`${server.url}/home`);
    await open('');
    expect(address().get('security')).toBeNull();
  });

  test('[TF31] what is looked for in a list before its names are read is looked for on, and chosen once they are', async () => {
    await open();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await whileHeld(page, server.url, 'custodians', async () => {
      await page.goBack();
      await row().waitFor();
      await editor('security');
      await page.keyboard.type('BTC');
      await page.keyboard.press('Enter');
      await page.getByText('Looking', { exact: true }).waitFor();
    });
    await pill(/^Security is BTC/).waitFor();
    expect(await page.locator('[data-editor]').count()).toBe(0);
    await bar().getByRole('button', { name: 'Clear' }).press('Enter');
    await expect.poll(() => address().get('security')).toBeNull();
  });

  test('[TF28] every editor is free of serious faults of accessibility, in both themes and on a narrow screen', async () => {
    const searched = '&dates=all&usd_value=>10&type=1,2&description=not:zzz&unpriced=not';
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => localStorage.setItem('theme', name), theme);
      await open(searched);
      for (const field of ['dates', 'account', 'price', 'description', 'manual', 'hashes']) {
        await editor(field);
        if (field === 'price') {
          await page.keyboard.type('nothing');
          await page.keyboard.press('Enter');
        }
        expect([theme, field, await seriousFaultsOf(context, page)]).toEqual([theme, field, []]);
        await page.keyboard.press('Escape');
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await bar().getByRole('button', { name: 'Filters: 4' }).press('Enter');
      await editor('type');
      expect([theme, 'narrow', await seriousFaultsOf(context, page)]).toEqual([theme, 'narrow', []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });
});
