import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { faultsOf } from '#tests/support/axe.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { offline, type RunningServer } from '#tests/support/e2e.ts';

// Everything that opens on the transactions screen, opened by keys alone and looked at while it is open.

const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all`;
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const looks = (['wide', 'narrow'] as const).flatMap((size) => (['light', 'dark'] as const).map((theme) => [size, theme] as const));
let app: DemoApp;
let server: RunningServer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await openDemo('menus');
  ({ server, context, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(() => app?.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const menu = (name: RegExp) => page.getByRole('menu', { name });
const button = (name: RegExp) => page.getByRole('button', { name }).first();
const bar = (name: RegExp) => page.getByRole('search', { name: 'Filters' }).getByRole('button', { name }).first();

/** Most stops of the Tab key on the screen. */
const mostStops = 80;

/** Goes to something by the Tab key alone. */
async function tabTo(target: Locator): Promise<void> {
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await press('Tab');
  }
  throw new Error(`The Tab key does not reach ${String(target)}`);
}

async function open(size: keyof typeof sizes, theme: string, more = ''): Promise<void> {
  await page.setViewportSize(sizes[size]);
  await page.evaluate((name) => localStorage.setItem('theme', name), theme);
  await page.goto(server.url + place + more);
  await page
    .getByRole('row')
    .filter({ hasText: /\d\d:\d\d/ })
    .or(page.getByText('No transactions here'))
    .first()
    .waitFor();
}

/** What is wrong with the page, small matters aside. A menu belongs to no landmark. */
async function faults(): Promise<unknown[]> {
  const isMenu = (await page.getByRole('menu').count()) > 0;
  const found = await faultsOf(context, page);
  return found.filter(([rule, impact]) => impact !== 'minor' && !(isMenu && rule === 'region'));
}

interface Opened {
  /** What is open, and the file that draws it. */
  name: string;
  file: string;
  only?: keyof typeof sizes;
  from: () => Locator;
  /** Enter, where nothing else opens it. */
  keys?: readonly string[];
  shows: () => Locator;
}

function pill(label: string): Opened {
  const name = new RegExp(`^${label}( |$)`);
  return { name: `${label} filter`, file: 'ui/pill.tsx', from: () => bar(name), shows: () => dialog(`${label} filter`) };
}

const gridCell = () => page.locator('[data-row] [data-column][tabindex="0"]');
const head = () => page.locator('[role=columnheader] button[tabindex="0"]');
const pills = ['Dates', 'Account', 'Security', 'Type', 'Custodian', 'Match', 'USD value', 'Description', 'Manual'];

/** In the order of the Tab key. */
const opened: readonly Opened[] = [
  {
    name: 'drawer',
    file: 'shell/shell.tsx',
    only: 'narrow',
    from: () => button(/^Open menu/),
    shows: () => dialog('Menu').getByRole('navigation'),
  },
  { name: 'places', file: 'shell/place-switcher.tsx', from: () => button(/^Client and entity/), shows: () => dialog('Client and entity') },
  {
    name: 'sync state',
    file: 'shell/sync-state.tsx',
    from: () => page.getByTitle('How fresh this is'),
    shows: () => dialog('How fresh this is'),
  },
  { name: 'user menu', file: 'shell/user-menu.tsx', from: () => button(/^User menu/), shows: () => menu(/^User menu/) },
  { name: 'views', file: 'screens/transactions/views-menu.tsx', from: () => bar(/^Views/), shows: () => dialog('Saved views') },
  { name: 'sort', file: 'ui/sort-menu.tsx', only: 'narrow', from: () => bar(/^Sort/), shows: () => dialog('Sort') },
  ...pills.map(pill),
  {
    name: 'add a filter',
    file: 'screens/transactions/filters/add-filter.tsx',
    from: () => bar(/Filter$/),
    shows: () => dialog('Add a filter'),
  },
  { name: 'columns', file: 'ui/grid/columns-menu.tsx', only: 'wide', from: () => button(/^Columns/), shows: () => dialog('Columns') },
  { name: 'export menu', file: 'screens/transactions/export-menu.tsx', from: () => button(/^Export/), shows: () => menu(/^Export/) },
  {
    name: 'menu of a column',
    file: 'ui/grid/grid-header.tsx',
    only: 'wide',
    from: head,
    keys: ['Alt+ArrowDown'],
    shows: () => menu(/^Column /),
  },
  { name: 'menu of a cell', file: 'ui/grid/grid.tsx', from: gridCell, keys: ['Shift+F10'], shows: () => menu(/^Cell$/) },
  {
    name: 'details of a row',
    file: 'screens/transactions/row-panel.tsx',
    from: gridCell,
    shows: () => page.getByRole('complementary', { name: 'Transaction' }).getByRole('button', { name: 'Mark transfer' }),
  },
  {
    name: 'selected rows',
    file: 'screens/transactions/totals-bar.tsx',
    from: gridCell,
    keys: ['Space', 'ArrowDown', 'Space'],
    shows: () => page.getByText('2 rows selected'),
  },
  { name: 'per asset', file: 'screens/transactions/totals-bar.tsx', from: () => button(/^Per asset/), shows: () => dialog('Per asset') },
];
/** Opened in a step of its own, or on another screen. */
const elsewhere = [
  'form-dialog.tsx',
  'session/sign-out-dialog.tsx',
  'screens/entities/import-dialog.tsx',
  'screens/entities/import-result.tsx',
  'screens/outbox/choose-fields-dialog.tsx',
  'screens/outbox/discard-dialog.tsx',
  'screens/outbox/edit-details-dialog.tsx',
  'screens/outbox/waiting-view-dialog.tsx',
  // client-work.test.ts
  'screens/clients/archived-assets-dialog.tsx',
  'screens/entities/balances-panel.tsx',
  // places.test.ts
  'screens/clients/client-dialog.tsx',
  'screens/clients/delete-client-dialog.tsx',
  'screens/entities/delete-entity-dialog.tsx',
  'screens/entities/entity-dialog.tsx',
  'screens/organizations/organization-dialog.tsx',
  'screens/organizations/organizations-screen.tsx',
  // palette.test.ts
  'palette/palette.tsx',
  'shell/shortcut-sheet.tsx',
  // users.test.ts
  'screens/users/client-people-dialog.tsx',
  'screens/users/link-dialog.tsx',
  // tickets.test.ts
  'screens/tickets/ticket-dialog.tsx',
  'screens/tickets/waiting-ticket-dialog.tsx',
  // users.test.ts
  'screens/users/create-user-dialog.tsx',
  'screens/users/disable-user-dialog.tsx',
  'screens/users/update-user-dialog.tsx',
  // outbox-forms.test.ts
  'screens/users/waiting-assignments-dialog.tsx',
  'screens/users/waiting-role-dialog.tsx',
  // touch.test.ts
  'screens/transactions/value-filter.tsx',
  // revocation.test.ts
  'screens/settings/remove-copy-dialog.tsx',
];

describe('everything that opens', () => {
  test('[E11] no menu, popover or dialog of the source is left out', () => {
    const app = join(process.cwd(), 'src/app');
    const drawing = readdirSync(app, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .filter((file) => /<(PopoverPanel|MenuItems|PopupMenu|Dialog|FormDialog|aside)\b/.test(readFileSync(join(app, file), 'utf8')));
    expect(drawing.sort()).toEqual([...new Set([...opened.map(({ file }) => file), ...elsewhere])].sort());
  });

  test.each(looks)('[E12] opens by keys, has no fault and gives the focus back: %s, %s', async (size, theme) => {
    await open(size, theme, '&match=PENDING,none&usd_value=>10&description=not:zzz&manual=not');
    if (size === 'narrow') {
      await tabTo(bar(/^Filters/));
      await press('Enter');
    }
    const done: string[] = [];
    const here = opened.filter(({ only = size }) => only === size);
    for (const { name, from, keys = ['Enter'], shows } of here) {
      // what the Tab key reaches is the same in either theme
      if (theme === 'light') await tabTo(from());
      else await from().focus();
      await press(...keys);
      await shows().waitFor();
      expect([name, await faults()]).toEqual([name, []]);
      await press('Escape');
      await expect.poll(() => shows().count(), { message: name }).toBe(0);
      expect([name, await page.evaluate(() => document.activeElement === document.body)]).toEqual([name, false]);
      done.push(name);
    }
    expect(done).toEqual(here.map(({ name }) => name));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes[size].width);
  });

  test.each(looks)('[E13] what opens within has no fault either: %s, %s', async (size, theme) => {
    await open(size, theme, '&hashes=no-such-row-0001,no-such-row-0002');
    expect(['empty list', await faults()]).toEqual(['empty list', []]);
    if (size === 'narrow') {
      await tabTo(bar(/^Filters/));
      await press('Enter');
    }
    await tabTo(bar(/^Hashes/));
    await press('Enter');
    await page.getByText('2 not found').waitFor();
    expect(['pasted hashes', await faults()]).toEqual(['pasted hashes', []]);
    await press('Escape', 'Alt+f');
    await page.getByLabel('Find a field').waitFor();
    await page.keyboard.type('price');
    await press('Enter');
    await page.getByRole('group', { name: 'Price filter' }).waitFor();
    await page.keyboard.type('nothing');
    await press('Enter');
    await page.getByText(/^Write an amount/).waitFor();
    expect(['a wrong amount', await faults()]).toEqual(['a wrong amount', []]);
    await press('Escape');
    await tabTo(bar(/^Views/));
    await press('Enter');
    await tabTo(button(/^Save as/));
    await press('Enter');
    await page.getByRole('form', { name: 'Save view' }).waitFor();
    await press('Enter');
    await page.getByRole('alert').filter({ hasText: 'name' }).waitFor();
    expect(['a view without a name', await faults()]).toEqual(['a view without a name', []]);
    await page.keyboard.type(`${size} and ${theme}`);
    await press('Enter');
    await expect.poll(() => page.getByRole('form').count()).toBe(0);
    // opened before the list has the view, the focus is at another, and the Tab key leads past the rows
    await bar(new RegExp(`^Views: ${size} and ${theme}`)).waitFor();
    await tabTo(bar(/^Views/));
    await press('Enter');
    const saved = page.getByRole('list', { name: 'My views' }).getByRole('button', { name: new RegExp(`^${size} and ${theme}`) });
    await saved.waitFor();
    await tabTo(saved);
    await press('F2');
    await page.getByRole('form', { name: 'Rename view' }).waitFor();
    expect(['rename', await faults()]).toEqual(['rename', []]);
    await press('Escape', 'Escape');
  });

  test('[E14] neither has an edit that waits, nor the question what becomes of it', async () => {
    await open('wide', 'light');
    await server.stop();
    // the screen is at rest by then
    await offline(page);
    await tabTo(gridCell());
    await press('t');
    await page.getByText(/marked as transfer/).waitFor();
    expect(['a notice', await faults()]).toEqual(['a notice', []]);
    for (const [size, theme] of looks) {
      const look = `${size}, ${theme}`;
      await open(size, theme);
      await tabTo(page.getByRole('banner').getByRole('link', { name: /^Outbox, 1 edit/ }));
      expect([look, 'an edit', await faults()]).toEqual([look, 'an edit', []]);
      await tabTo(button(/^User menu/));
      await press('Enter');
      await menu(/^User menu/).waitFor();
      await press('End', 'Enter');
      await dialog('Sign out').getByRole('button', { name: 'Send now' }).waitFor();
      expect([look, 'sign out', await faults()]).toEqual([look, 'sign out', []]);
      await press('Escape');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('User menu');
    }
  });
});
