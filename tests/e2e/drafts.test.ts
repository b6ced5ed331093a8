import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { browserPid, killBrowser } from '#tests/support/browser-process.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, aFolder, openBrowser, signIn, signOut, synced } from '#tests/support/e2e.ts';
import { heldDrafts } from '#tests/support/held-rows.ts';
import { looksRightIn } from '#tests/support/looks.ts';

// What is typed into a form that is open and not saved.

const administrator = { email: 'admin@tieout.example', password: 'tieout-demo-admin-2026' };
const entity = demoIdOf.entity('Meridian Master Fund LP');
let app: DemoApp;
let page: Page;
let url: string;

beforeAll(async () => {
  app = await openDemo('drafts');
  page = app.page;
  url = app.server.url;
});
afterAll(() => app?.close());

const again = (tab: Page) => tab.getByText(/^What you had typed on \d\d\/\d\d\/\d{4} \d\d:\d\d [A-Z]{3,4} is here again/);
const nameOf = (tab: Page) => tab.getByRole('dialog').getByLabel('Client Name');

async function openClient(tab: Page): Promise<void> {
  await tab.goto(`${url}/clients`);
  await tab.getByRole('button', { name: 'Create Client' }).click();
  await nameOf(tab).waitFor();
}

const keptIn = async (tab: Page): Promise<unknown[]> => (await heldDrafts(tab)).map(({ fields }) => Object.values(fields)[0]);

/** Every form that keeps what is typed, and one of its fields. */
interface Form {
  name: string;
  opens: () => Promise<unknown>;
  field: () => Locator;
  /** The button by which one wants nothing of it; the key Escape where there is none. */
  leaves?: string;
}

const press = (name: string): Promise<void> => page.getByRole('button', { name }).first().click();
const inDialog = (label: string) => (): Locator => page.getByRole('dialog').getByLabel(label);
const at = (path: string) => page.goto(`${url}${path}`);
const forms: readonly Form[] = [
  { name: 'client:new', opens: () => at('/clients').then(() => press('Create Client')), field: inDialog('Client Name') },
  { name: 'client:<id>', opens: () => at('/clients').then(() => press('Update Meridian Digital Assets')), field: inDialog('Client Name') },
  { name: 'entity:new', opens: () => at('/entities/new'), field: () => page.getByLabel('Entity Name'), leaves: 'Cancel' },
  {
    name: 'entity:<id>',
    opens: () => at(`/entities/${entity}`).then(() => press('Update')),
    field: inDialog('Entity Name'),
    leaves: 'Cancel',
  },
  { name: 'organization:new', opens: () => at('/organizations').then(() => press('Create Organization')), field: inDialog('Name') },
  {
    name: 'organization:<id>',
    opens: () => at('/organizations').then(() => press('Update Harbor Ledger Advisory')),
    field: inDialog('Name'),
  },
  {
    name: 'organization-settings:<id>',
    opens: async () => {
      await at('/organizations');
      await page.getByRole('grid').getByRole('link').first().click();
    },
    field: () => page.getByLabel('Name', { exact: true }),
    leaves: 'Start anew',
  },
  { name: 'user:new', opens: () => at('/users').then(() => press('Invite User')), field: inDialog('Email') },
  {
    name: 'user:<id>',
    opens: async () => {
      await at('/users');
      await page
        .getByRole('link', { name: /accountant/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Update', exact: true }).click();
    },
    field: inDialog('Name'),
  },
  {
    name: 'ticket:new',
    opens: async () => {
      await at('/home');
      await press('User menu');
      await page.getByRole('menuitem', { name: 'Report an issue' }).click();
    },
    field: inDialog('Headline'),
  },
  {
    name: 'view:new',
    opens: async () => {
      await at(`/transactions?entity=${entity}`);
      await press('Views');
      await press('Save as');
    },
    field: inDialog('Name'),
  },
];

test('[DR14] what is typed into a form is there again after the browser was killed; once saved or cancelled nothing is', async () => {
  const profile = aFolder('drafts-killed');
  const before = await openBrowser(profile.path);
  await signIn(before.page, url);
  await openClient(before.page);
  await nameOf(before.page).fill('Larch Par');
  await expect.poll(() => keptIn(before.page)).toEqual(['Larch Par']);
  await killBrowser({ context: before.context, pid: browserPid(profile.path) });

  const { context, page: tab } = await openBrowser(profile.path);
  try {
    // cookies of the last half a minute may not have been on the disk
    await tab.goto(`${url}/logout`);
    await tab.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await signIn(tab, url);
    await openClient(tab);
    await again(tab).waitFor();
    expect(await nameOf(tab).inputValue()).toBe('Larch Par');
    await nameOf(tab).fill('Larch Partners');
    await tab.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click();
    await tab.getByRole('log').getByText('Client successfully created').waitFor();
    await openClient(tab);
    expect([await nameOf(tab).inputValue(), await again(tab).count()]).toEqual(['', 0]);
    await nameOf(tab).fill('Another');
    await tab.keyboard.press('Escape');
    await openClient(tab);
    expect([await nameOf(tab).inputValue(), await again(tab).count()]).toEqual(['', 0]);
  } finally {
    await context.close();
    profile.remove();
  }
});

test('[DR15] what was typed at the end of an hour without activity is there again after the next sign-in', async () => {
  await openClient(page);
  await nameOf(page).fill('Birch');
  // the hour is over before anything was kept
  await page.evaluate(() => {
    localStorage.setItem('last_activity_at', String(Date.now() - 2 * 3_600_000));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.getByText('You were signed out after an hour without activity').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(accountant.email);
  await page.getByLabel('Password').fill(accountant.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Create Client' }).click();
  await again(page).waitFor();
  expect(await nameOf(page).inputValue()).toBe('Birch');
  // no word of the password
  expect(await keptIn(page)).toEqual(['Birch']);
});

test('[DR16] who starts anew has the form as it begins, is in its field, and nothing is kept; the line has no fault in any look', async () => {
  await openClient(page);
  await again(page).waitFor();
  await looksRightIn({ context: app.context, page }, 'draft');
  await page.getByRole('button', { name: 'Start anew' }).click();
  expect([await nameOf(page).inputValue(), await again(page).count()]).toEqual(['', 0]);
  expect(await nameOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test('[DR17] every form has again what was typed when the page is read anew', { timeout: 240_000 }, async () => {
  await page.goto(`${url}/home`);
  await signOut(page);
  await signIn(page, url, administrator);
  await synced(page);
  for (const { name, opens, field, leaves } of forms) {
    await opens();
    await field().fill(`Half of ${name}`);
    // at once: nothing is written yet
    await page.reload();
    await opens();
    await again(page).waitFor();
    expect(await field().inputValue()).toBe(`Half of ${name}`);
    if (leaves) await press(leaves);
    else await page.keyboard.press('Escape');
    await expect.poll(async () => [name, await keptIn(page)]).toEqual([name, []]);
  }
});

test('[DR18] an entity is begun again for the client it was begun for', async () => {
  await page.goto(`${url}/entities/new`);
  const client = page.getByLabel('Client', { exact: true });
  await expect.poll(() => client.locator('option').count()).toBeGreaterThan(1);
  const [first, second] = await client.locator('option').allTextContents();
  await client.selectOption(second ?? '');
  await page.getByLabel('Entity Name').fill('Half an entity');
  await expect.poll(() => keptIn(page)).toEqual(['Half an entity']);
  await page.reload();
  await again(page).waitFor();
  const chosen = await client.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent);
  expect([chosen, first === second]).toEqual([second, false]);
  await looksRightIn({ context: app.context, page }, 'draft-entity');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => keptIn(page)).toEqual([]);
});

test('[DR19] what somebody else changed since is said with what was typed', async () => {
  await page.goto(`${url}/clients`);
  await page.getByRole('button', { name: 'Update Meridian Digital Assets' }).click();
  await nameOf(page).fill('Meridian Digital');
  await expect.poll(() => keptIn(page)).toEqual(['Meridian Digital']);
  const other = await app.context.newPage();
  await other.goto(`${url}/clients`);
  await other.getByRole('button', { name: 'Update Meridian Digital Assets' }).click();
  await nameOf(other).fill('Meridian Assets');
  await other.getByRole('dialog').getByRole('button', { name: 'Update Client' }).click();
  await other.getByRole('log').getByText('Client successfully updated').waitFor();
  await other.close();
  await page.reload();
  await page.getByRole('button', { name: 'Update Meridian Assets' }).click();
  await page.getByText('is here again. Somebody changed it since: saving puts yours in its place.').waitFor();
  expect(await nameOf(page).inputValue()).toBe('Meridian Digital');
});

test('[DR22] who discards at a sign-out what was not sent lets go of what was typed, too', async () => {
  await app.server.stop('SIGKILL');
  await openClient(page);
  await nameOf(page).fill('Waits');
  await page.getByRole('dialog').getByLabel('Organization ID').selectOption({ index: 1 });
  await page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click();
  await page.getByRole('link', { name: 'Outbox, 1 edit waits' }).waitFor();
  await openClient(page);
  await nameOf(page).fill('Half a client');
  await expect.poll(() => keptIn(page)).toContain('Half a client');
  await page.reload();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Discard 1 edit' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(await keptIn(page)).toEqual([]);
});
