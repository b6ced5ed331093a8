import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { databasesIn } from '#tests/support/databases.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, aFolder, openBrowser, signIn, signOut, synced } from '#tests/support/e2e.ts';

const entity = demoIdOf.entity('Meridian Master Fund LP');
let app: DemoApp;
let url: string;

beforeAll(async () => {
  app = await openDemo('devices');
  url = app.server.url;
});
afterAll(() => app?.close());

const pathOf = (page: Page): string => new URL(page.url()).pathname;

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(accountant.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in on a computer that others use, too. */
async function signInShared(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('This is a shared computer').check();
  await signIn(page, url);
  await synced(page);
}

/** What a person left in the browser: databases of theirs, and keys of local storage that say who they were. */
async function traces(page: Page): Promise<string[]> {
  const databases = (await databasesIn(page)).filter((name) => name !== 'tieout-device');
  const kept = await page.evaluate(() => {
    const personal = ['user', 'user_id', 'last_entity_id', 'redirect_url', 'last_activity_at', 'offline_unlock'];
    const keys = Object.keys(localStorage).filter((key) => personal.some((start) => key.startsWith(start)) || key.includes(' '));
    return [...keys, ...Object.keys(sessionStorage).filter((key) => key === 'login_response')];
  });
  return [...databases, ...kept];
}

test('[SE40] after an hour of silence a trusted device opens offline by password, with what was kept; the server hears of the sign-out once it can', async () => {
  const profile = aFolder('devices-unlock');
  const { context, page } = await openBrowser(profile.path);
  try {
    await page.clock.install();
    await signIn(page, url);
    await synced(page);
    await page.goto(`${url}/transactions?entity=${entity}&dates=all`);
    await page.getByRole('row').nth(5).waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('offline_unlock')))).toBe(true);

    await context.setOffline(true);
    await page.clock.fastForward('01:01:00');
    await page.waitForURL(`${url}/logout?**`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('sign_out_owed'))).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillIn(page, 'not the password');
    await page.getByRole('alert').getByText('Wrong password. 4 more tries without the network.').waitFor();
    await page.getByLabel('Password').fill(accountant.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/transactions/);
    await page.getByRole('row').nth(5).waitFor();

    // the same again, and this time nobody opens it before there is a network
    await page.clock.fastForward('01:01:00');
    await page.waitForURL(`${url}/logout?**`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').waitFor();
    const isOpen = async () => (await context.request.get(`${url}/api/users/me`)).status();
    expect(await isOpen()).toBe(200);
    await context.setOffline(false);
    await expect.poll(isOpen).toBe(401);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('sign_out_owed'))).toBe(null);
  } finally {
    await context.close();
    profile.remove();
  }
});

test('[SE41] on a shared computer an edit needs the network, and after signing out no database and no personal key is left', async () => {
  const profile = aFolder('devices-shared');
  const { context, page } = await openBrowser(profile.path);
  try {
    await signInShared(page);
    await page.goto(`${url}/entities/${entity}`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Update' }).click();
    await dialog.getByLabel('City').fill('Lisbon');
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Update Entity' }).click();
    await dialog.getByRole('alert').getByText('There is no network, and on a shared computer nothing may wait').waitFor();
    await context.setOffline(false);
    await synced(page);
    await dialog.getByRole('button', { name: 'Update Entity' }).click();
    await page.getByRole('log').getByText('Entity successfully updated').waitFor();

    await signOut(page);
    await page.getByText('Nothing of your work is kept on this computer.').waitFor();
    await expect.poll(() => traces(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(await page.getByLabel('This is a shared computer').isChecked()).toBe(true);
  } finally {
    await context.close();
    profile.remove();
  }
});

test('[SE42] a shared computer whose browser was closed without signing out starts empty at the sign-in page', async () => {
  const profile = aFolder('devices-left');
  const before = await openBrowser(profile.path);
  try {
    await signInShared(before.page);
    // a second tab belongs to the same session, and a reload ends nothing
    const second = await before.context.newPage();
    await second.goto(`${url}/clients`);
    await second.getByRole('heading', { name: 'Clients' }).waitFor();
    await before.page.reload();
    await synced(before.page);
  } finally {
    await before.context.close();
  }
  const { context, page } = await openBrowser(profile.path);
  try {
    await page.goto(`${url}/home`);
    await page.getByText('Somebody had left this shared computer without signing out.').waitFor();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(pathOf(page)).toBe('/logout');
    await expect.poll(() => traces(page)).toEqual([]);
    expect((await context.request.get(`${url}/api/users/me`)).status()).toBe(401);
  } finally {
    await context.close();
    profile.remove();
  }
});

test('[PW18] a screen that went with an older build does not take along what is typed on a shared computer', async () => {
  const profile = aFolder('devices-part');
  const { context, page } = await openBrowser(profile.path, { serviceWorkers: 'block' });
  try {
    await signInShared(page);
    await page.goto(`${url}/entities/new`);
    await page.getByLabel('Entity Name').fill('Half a name');
    const isLoadedAnew = page.waitForEvent('load', { timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('alert').getByText('This part of the app could not be loaded').waitFor();
    expect(await isLoadedAnew).toBe(false);
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('grid', { name: 'Users' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Entity Name').inputValue()).toBe('Half a name');
  } finally {
    await context.close();
    profile.remove();
  }
});
