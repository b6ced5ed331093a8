import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowOfKey } from '#app/kept-keys.ts';
import { shortcuts } from '#app/shortcuts.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer, rowCount, startServer } from '#tests/support/e2e.ts';
import { heldEdits } from '#tests/support/held-rows.ts';
import { whileHeld } from '#tests/support/held-table.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained } from '#tests/support/outbox-badge.ts';

let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('palette');
  ({ server, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await app.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key.replace('Mod', 'Control'));
};
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const input = () => page.getByRole('combobox', { name: 'Search everything' });
const active = () => page.locator('[role=option][data-focus]');
/** What stands where a name is not known. */
const someId = /Unknown|\b[0-9a-f]{8}-[0-9a-f]{4}-/;
const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all`;

/** Does something on a slow computer. */
async function slowly(what: () => Promise<void>): Promise<void> {
  const cdp = await app.context.newCDPSession(page);
  try {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 12 });
    await what();
  } finally {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await cdp.detach();
  }
}

/** Finds something by the palette and goes there. */
async function goBy(text: string, name: string): Promise<void> {
  await press('Mod+k');
  await input().waitFor();
  await page.keyboard.type(text);
  await expect.poll(() => active().textContent()).toContain(name);
  await press('Enter');
  await expect.poll(() => input().count()).toBe(0);
}

const shown = () => page.locator('[data-row="0"] [role=gridcell]:not(:has(.bone))').first().waitFor();

async function openList(more = ''): Promise<void> {
  await page.goto(server.url + place + more);
  await shown();
}

describe('the search over everything', () => {
  test('[KB10] by keys alone one goes to an entity, a client, an account and a screen, and makes a client, without a network', async () => {
    await page.goto(`${server.url}/home`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await server.stop();
    await press('Mod+k');
    await input().waitFor();
    await expect.poll(() => active().textContent()).toBe('Home');
    await looksRight('palette-empty');
    await page.keyboard.type('no such thing');
    await page.getByText('Nothing here is called that').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('meridian');
    await page.getByRole('group', { name: 'Entities' }).waitFor();
    await looksRight('palette-found');
    await press('Escape');
    await expect.poll(() => input().count()).toBe(0);

    await goBy('offshore fee', 'Meridian Offshore Feeder Ltd');
    await page.getByRole('heading', { name: 'Meridian Offshore Feeder Ltd' }).waitFor();
    await goBy('meridian digital', 'Meridian Digital Assets');
    await expect.poll(() => new URL(page.url()).search).toBe(`?client=${demoIdOf.client('Meridian Digital Assets')}`);
    await press('Mod+k');
    await page.keyboard.type('meridian master kraken');
    await expect.poll(() => active().textContent()).toContain('Meridian Digital Assets / Meridian Master Fund LP');
    await press('Enter');
    await page.waitForURL(/\/transactions\?entity=.*account=/);
    await goBy('outb', 'Outbox');
    await page.getByRole('heading', { name: 'Outbox' }).waitFor();

    await goBy('create cl', 'Create Client');
    await page.getByLabel('Client Name').fill('Zoë Żelazny Łódź');
    await dialog('Create Client').getByRole('button', { name: 'Create Client' }).click();
    await expect.poll(() => dialog('Create Client').count()).toBe(0);
    await goBy('zoe zelazny lodz', 'Zoë Żelazny Łódź');
    await page.getByText('No entities yet').waitFor();

    // what was chosen last comes first
    await press('Mod+k');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect.poll(() => recent.allTextContents()).toEqual(expect.arrayContaining(['Zoë Żelazny Łódź', 'Create Client', 'Outbox']));
    expect((await recent.allTextContents())[0]).toBe('Zoë Żelazny Łódź');
    await press('Escape');
    server = await startServer(app.env);
  });

  test('[KB13] actions: the theme, and a file for an account that is asked for', async () => {
    await page.goto(`${server.url}/home`);
    await page.getByRole('button', { name: 'User menu' }).focus();
    await goBy('dark', 'Switch theme');
    expect(await page.evaluate(() => document.body.className)).toContain('dark');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('User menu');
    await goBy('theme', 'Switch theme');
    await goBy('import', 'Import file');
    await page.getByRole('combobox', { name: 'Import file: into which account?' }).waitFor();
    await looksRight('palette-import');
    await page.keyboard.type('kraken');
    await expect.poll(() => active().textContent()).toContain('Kraken');
    await press('Enter');
    await page.getByRole('heading', { name: /^Import file into .*Kraken/ }).waitFor();
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

describe('shortcuts', () => {
  test('[KB12] the sheet opens by its key but where one types, tells every shortcut, and gives the focus back', async () => {
    await openList();
    await page.locator('[data-row="2"] [data-column="1"]').focus();
    await press('?');
    const sheet = dialog('Keyboard shortcuts');
    await sheet.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    const words = shortcuts.flatMap(({ table }) => Object.values(table).map((one) => one.words));
    expect(await sheet.locator('dt').allTextContents()).toEqual(words);
    await press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
    const at = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'));
    await expect.poll(at).toBe('2');
    await press('?');
    await sheet.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await looksRight('shortcuts');
    await press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
    await press('/', '?');
    expect(await page.getByRole('searchbox').first().inputValue()).toBe('?');
    expect(await sheet.count()).toBe(0);
    await page.getByRole('searchbox').first().fill('');
  });

  test('[KB15] a row that is shown is marked by its key at once, by its names, however slow the computer', async () => {
    await slowly(async () => {
      await openList();
      await page.locator('[data-row="0"] [data-column="0"]').focus();
      await press('t');
      await page.getByText(/rows? marked as transfer$/).waitFor();
    });
    await page.goto(`${server.url}/outbox`);
    const words = page.getByText(/^Mark transfer: /).first();
    await words.waitFor();
    expect(await words.textContent()).not.toContain('an account');
  });

  test('[KB16] a row that is copied bears its names, however late those are read', async () => {
    const copyRow = () => press('Space', 'Control+c');
    const copied = page.getByText('1 row copied');
    await openList();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await whileHeld(page, server.url, 'custodians', async () => {
      await page.goBack();
      await shown();
      await page.locator('[data-row="0"] [data-column="0"]').focus();
      await copyRow();
      expect(await page.locator('[data-row="0"]').innerText()).toMatch(someId);
    });
    await copied.waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).not.toMatch(someId);
    await expect.poll(() => page.locator('[data-row="0"]').innerText()).not.toMatch(someId);
    await copied.waitFor({ state: 'hidden' });
    await press('Control+c');
    await copied.waitFor();
    expect(text).toBe(await page.evaluate(() => navigator.clipboard.readText()));
  });

  test('[KB17] a key that is pressed again before a mark is kept marks nothing more', async () => {
    await openList();
    const made = async () => {
      const { edits, receipts } = await heldEdits(page);
      return edits.length + receipts.length;
    };
    await drained(page);
    const before = await made();
    await page.locator('[data-row="0"] [data-column="0"]').focus();
    await whileHeld(page, server.url, 'mutations', () => press('u', 'u', 'u'));
    await page.getByText(/rows? marked as not a transfer$/).waitFor();
    await expect.poll(made).toBe(before + 1);
    await drained(page);
    expect(await made()).toBe(before + 1);
  });

  test('[KB11] every shortcut but those of the rows does what it says', async () => {
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const pill = (name: RegExp) => page.getByRole('search', { name: 'Filters' }).getByRole('button', { name }).first();
    const head = (name: RegExp) => page.getByRole('columnheader', { name }).getByRole('button').first();
    const said = (text: string) => expect.poll(() => page.getByText(text, { exact: true }).count()).toBe(1);
    const openViews = async (): Promise<void> => {
      await press(key('Saved views', 'open'));
      await dialog('Saved views').waitFor();
    };
    const ownView = () => page.getByRole('list', { name: 'My views' }).getByRole('button', { name: /^Mine/ }).first();
    const done: string[] = [];
    /** The keys of a shortcut, which is ticked off. */
    const key = (title: string, name: string): string => {
      const found = shortcuts.find((one) => one.title === title)?.table[name];
      if (!found) throw new Error(`No shortcut ${title}, ${name}`);
      done.push(`${title}: ${name}`);
      return found.keys[0] ?? '';
    };

    await openList('&sort=match_state');
    await press(key('Everywhere', 'palette'));
    await active().waitFor();
    const first = await active().textContent();
    await press(key('In the search', 'down'));
    await expect.poll(() => active().textContent()).not.toBe(first);
    await press(key('In the search', 'up'));
    await expect.poll(() => active().textContent()).toBe(first);
    await press(key('In the search', 'leave'));
    await expect.poll(() => input().count()).toBe(0);
    await press('Mod+k');
    await page.keyboard.type('settings');
    await expect.poll(() => active().textContent()).toBe('Settings');
    await press(key('In the search', 'choose'));
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await press(key('Everywhere', 'shortcuts'));
    await dialog('Keyboard shortcuts').getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape');

    await openList('&sort=match_state');
    await page.locator('[data-row="0"] [data-column="0"]').focus();
    await press(key('Transactions', 'edit'));
    await page.getByText('No edit of this row waits').waitFor();
    await page.evaluate(() => {
      window.print = () => {
        document.body.dataset.printed = '';
        window.dispatchEvent(new Event('afterprint'));
      };
    });
    await press(key('Transactions', 'print'));
    await expect.poll(() => page.locator('body[data-printed]').count(), { timeout: 30_000 }).toBe(1);
    await page.locator('[data-row="0"] [data-column="0"]').focus();
    await press(key('Transactions', 'transfer'));
    await page.getByText('1 row marked as transfer').or(page.getByText('2 rows marked as transfer')).first().waitFor();
    await press(key('Transactions', 'notTransfer'));
    await page.getByText(/marked as not a transfer/).waitFor();

    await press(key('Filters', 'search'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await press(key('Filters', 'add'));
    await dialog('Add a filter').waitFor();
    await page.keyboard.type('price');
    await press('Enter');
    await page.getByRole('textbox', { name: /^Price/ }).fill('>1');
    await press(key('Filters', 'apply'));
    await page.waitForURL(/price=/);
    await pill(/^Price/).click();
    await page.getByRole('textbox', { name: /^Price/ }).fill('>2');
    await press(key('Filters', 'restore'));
    await expect.poll(() => new URL(page.url()).searchParams.get('price')).toBe('>1');
    await pill(/^Dates/).focus();
    await press(key('Filters', 'next'));
    expect(await focusedText()).toMatch(/^Account/);
    await press(key('Filters', 'before'));
    expect(await focusedText()).toMatch(/^Dates/);
    await press(key('Filters', 'last'));
    expect(await focusedText()).toMatch(/Filter$/);
    await press(key('Filters', 'first'));
    expect(await focusedText()).toMatch(/^Dates/);
    await pill(/^Price/).focus();
    await press(key('Filters', 'remove'));
    await expect.poll(() => new URL(page.url()).searchParams.get('price')).toBeNull();

    await openViews();
    await page.getByRole('button', { name: /^Save as/ }).click();
    await page.getByRole('form', { name: 'Save view' }).getByRole('textbox').first().fill('Mine');
    await press('Enter');
    await expect.poll(() => page.getByRole('form').count()).toBe(0);
    await page.locator('[data-row="0"] [data-column="0"]').focus();
    await openViews();
    await ownView().focus();
    await press(key('Saved views', 'rename'));
    await page.getByRole('form', { name: 'Rename view' }).waitFor();
    await press('Escape');
    await ownView().focus();
    await press(key('Saved views', 'remove'));
    await expect.poll(() => ownView().count()).toBe(0);
    await press('Escape');

    await openList();
    await head(/^Date/).focus();
    await press(key('Column heads', 'next'));
    await expect.poll(focusedText).toMatch(/^Account/);
    await press(key('Column heads', 'before'));
    await expect.poll(focusedText).toMatch(/^Date/);
    await press(key('Column heads', 'last'));
    await expect.poll(focusedText).toMatch(/^Description/);
    await press(key('Column heads', 'first'));
    await expect.poll(focusedText).toMatch(/^Date/);
    await press(key('Column heads', 'sort'));
    await said('Sorted by Date (UTC) ascending');
    await press('ArrowRight', key('Column heads', 'sort-too'));
    await said('Sorted by Date (UTC) ascending, then Account ascending');
    await press(key('Column heads', 'menu'));
    await page.getByRole('menu', { name: /^Column / }).waitFor();
    await press('Escape');
    await head(/^Account/).focus();
    await press(key('Column heads', 'rows'));
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-row]') !== null)).toBe(true);

    const all = shortcuts.filter(({ title }) => title !== 'Rows of a list');
    expect(new Set(done)).toEqual(new Set(all.flatMap(({ title, table }) => Object.keys(table).map((name) => `${title}: ${name}`))));
  });
});

describe('settings', () => {
  const cells = () => page.locator('[data-row] [role=gridcell][aria-colindex="7"]').allTextContents();
  const totals = () => page.getByRole('region', { name: 'Totals' }).innerText();

  async function copiedRow(): Promise<string> {
    await page.locator('[data-row="0"] [data-column="0"]').focus();
    await press('Space', 'Control+c');
    await page.getByText('1 row copied').waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  test('[PF10] the style of numbers changes the amounts of grid, totals and cards, not what is copied, and stays after a reload', async () => {
    await openList('&type=2');
    await expect.poll(async () => (await cells()).some((text) => /^\([\d,]+\.\d\d\)$/.test(text))).toBe(true);
    await expect.poll(totals).toMatch(/\(\d[\d,]*\.\d\d\)/);
    const copied = await copiedRow();

    await page.goto(`${server.url}/settings`);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
    await looksRight('settings');
    await page.getByLabel('Amounts below zero').selectOption('minus');
    await page.getByLabel('Between thousands').selectOption('none');
    expect(await page.getByLabel('Example').textContent()).toBe('-1234567.89 USD, -12345.123456789012 BTC');
    await page.getByLabel('Decimals').selectOption('all');
    expect(await page.getByLabel('Example').textContent()).toBe('-1234567.8915 USD, -12345.123456789012 BTC');
    await page.getByLabel('Decimals').selectOption('usual');
    expect(await page.getByLabel('Price source').locator('option:checked').textContent()).toBe('Digital Asset Research');
    await page.reload();
    expect(await page.getByLabel('Amounts below zero').inputValue()).toBe('minus');
    await page.getByText('Libraries and their licences').click();
    await page.getByText('The MIT licence').waitFor();
    await looksRight('settings-about');

    await openList('&type=2');
    await expect.poll(async () => (await cells()).some((text) => /^-\d+\.\d\d$/.test(text))).toBe(true);
    expect((await cells()).filter((text) => /[(,]/.test(text))).toEqual([]);
    await expect.poll(totals).toMatch(/-\d+\.\d\d/);
    expect(await totals()).not.toMatch(/\(\d/);
    expect(await copiedRow()).toBe(copied);
    await page.setViewportSize(sizes.narrow);
    await expect.poll(() => page.locator('[data-row]').first().innerText()).toMatch(/\$ -\d+\.\d\d/);
    expect(await rowCount(page)).toBeGreaterThan(0);
    await page.setViewportSize(sizes.wide);
  });

  test('[PF11] all that was kept in the storages is in the table; what shows where one was goes with a sign-out', async () => {
    const kept = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    await page.goto(`${server.url}/home`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const before = await kept();
    expect(before.filter((key) => rowOfKey(key) === undefined)).toEqual([]);
    expect(before).toEqual(
      expect.arrayContaining(['user', 'user_id', 'login_response', 'last_entity_id', 'number_negatives', 'last_activity_at']),
    );
    await goBy('sign out', 'Sign Out');
    await page.waitForURL('**/logout');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    const after = await kept();
    expect(after.filter((key) => ['session-end', 'sign-out'].includes(rowOfKey(key)?.goes ?? 'session-end'))).toEqual([]);
    expect(after).toEqual(expect.arrayContaining(['number_negatives', 'number_grouping']));
  });
});
