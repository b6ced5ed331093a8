import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, aFolder, openBrowser, signIn, signOut, synced } from '#tests/support/e2e.ts';

// Each test leaves the person signed in at no particular screen.

const support = 'https://support.example.org/';
const entity = demoIdOf.entity('Meridian Master Fund LP');
let app: DemoApp;
let page: Page;
let url: string;

beforeAll(async () => {
  app = await openDemo('session', { settings: { SUPPORT_URL: support } });
  page = app.page;
  url = app.server.url;
});
afterAll(() => app?.close());

const notices = () => page.getByRole('log');
const lastEntity = () => page.evaluate(() => localStorage.getItem('last_entity_id'));

async function signInHere(): Promise<void> {
  await page.getByLabel('Email').fill(accountant.email);
  await page.getByLabel('Password').fill(accountant.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const dialog = () => page.getByRole('dialog');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('clients', () => {
  /** Looks at the rows of an entity, which selects it and its client. */
  const select = async (): Promise<void> => {
    await page.goto(`${url}/transactions?entity=${entity}`);
    await page.getByRole('grid').waitFor();
    await expect.poll(lastEntity).toBe(entity);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Clients' }).click();
  };
  const nameOf = () => dialog().getByLabel('Client Name');

  test('[SE27] a client is made, changed and deleted with a notice each, in a fresh list; the last two clear the selected one', async () => {
    await page.goto(`${url}/clients`);
    await page.getByRole('button', { name: 'Create Client' }).click();
    await nameOf().fill('Larch Partners');
    await dialog().getByRole('button', { name: 'Create Client' }).click();
    await notices().getByText('Client successfully created').waitFor();
    await row('Larch Partners').waitFor();

    await select();
    await page.getByRole('button', { name: 'Update Larch Partners' }).click();
    await nameOf().fill('Larch & Sons');
    await dialog().getByRole('button', { name: 'Update Client' }).click();
    await notices().getByText('Client successfully updated').waitFor();
    await row('Larch & Sons').waitFor();
    expect([await row('Larch Partners').count(), await lastEntity()]).toEqual([0, null]);

    await select();
    await page.getByRole('button', { name: 'Delete Larch & Sons' }).click();
    await nameOf().fill('Larch & Sons');
    await dialog().getByRole('button', { name: 'Delete Client' }).click();
    await notices().getByText('Client successfully deleted').waitFor();
    await expect.poll(() => row('Larch & Sons').count()).toBe(0);
    expect(await lastEntity()).toBe(null);
  });

  test('[SE28] deleting a client asks for its name, to the letter', async () => {
    await page.goto(`${url}/clients`);
    await page.getByRole('button', { name: 'Delete Meridian Digital Assets' }).click();
    const isAllowed = () => dialog().getByRole('button', { name: 'Delete Client' }).isEnabled();
    expect(await isAllowed()).toBe(false);
    for (const [typed, allowed] of [
      ['Meridian', false],
      ['meridian digital assets', false],
      ['Meridian Digital Assets', true],
    ] as const) {
      await nameOf().fill(typed);
      expect([typed, await isAllowed()]).toEqual([typed, allowed]);
    }
    await nameOf().fill('Meridian');
    await nameOf().press('Enter');
    expect(await dialog().count()).toBe(1);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await row('Meridian Digital Assets').waitFor();
  });
});

test('[SE32] an entity is made, changed and deleted with a notice each, in a fresh list', async () => {
  await page.goto(`${url}/entities`);
  await page.getByRole('link', { name: 'Create Entity' }).click();
  await page.getByLabel('Entity Name').fill('Larch Trust');
  await page.getByRole('button', { name: 'Create Entity' }).click();
  await notices().getByText('Entity successfully created').waitFor();
  await page.getByRole('button', { name: 'Update' }).click();
  await dialog().getByLabel('Entity Name').fill('Alder Trust');
  await dialog().getByRole('button', { name: 'Update Entity' }).click();
  await notices().getByText('Entity successfully updated').waitFor();
  await page.goto(`${url}/entities`);
  await row('Alder Trust').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Delete Entity' }).click();
  await notices().getByText('Entity successfully deleted').waitFor();
  await page.goto(`${url}/entities`);
  await row('Meridian Master Fund LP').waitFor();
  expect([await row('Alder Trust').count(), await row('Larch Trust').count()]).toEqual([0, 0]);
});

test('[SE29] who may see nothing has the way to support in the menu all the same, in a new tab', async () => {
  const menu = page.getByRole('navigation', { name: 'Main' });
  const ways = () => menu.getByRole('link').allTextContents();
  await page.goto(`${url}/settings`);
  await menu.waitFor();
  expect(await ways()).toEqual(['Home', 'Clients', 'Users', 'Audit trail', 'Outbox', 'Contact Support']);
  await page.route('**/api/users/me', async (route) => {
    const me = (await (await route.fetch()).json()) as Record<string, unknown>;
    await route.fulfill({ json: { ...me, permissions: {} } });
  });
  await page.reload();
  await expect.poll(ways).toEqual(['Outbox', 'Contact Support']);
  const link = menu.getByRole('link', { name: 'Contact Support' });
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([support, '_blank']);
  // an answer may be on its way still
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect.poll(ways).toContain('Home');
});

test('[SE30] a request failing for missing authentication sends to /logout, and back to the place after signing in', async () => {
  await page.goto(`${url}/entities?active=1`);
  await synced(page);
  await app.context.clearCookies();
  await page.reload();
  await page.waitForURL(`${url}/logout`);
  expect(await page.evaluate(() => localStorage.getItem('redirect_url'))).toBe('/entities?active=1');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('redirect_url'))).toBe('/entities?active=1');
  await signInHere();
  await page.waitForURL(`${url}/entities?active=1`);
});

test('[SE60] the way to sign in again is offered once the session has ended, not before', async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/logout', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${url}/logout`);
  await page.getByRole('heading', { name: 'Signing out' }).waitFor();
  const way = page.getByRole('link', { name: 'Sign in' });
  expect(await way.count()).toBe(0);
  answer();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await way.click();
  await signInHere();
  await page.waitForURL((at) => !/^\/log(in|out)$/.test(at.pathname));
});

test('[SE72] the page on which a session ended ends no other, looked at again: it leads to who signed in in another tab', async () => {
  await page.goto(`${url}/logout`);
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  const other = await app.context.newPage();
  await signIn(other, url);
  await page.reload();
  await page.waitForURL(`${url}/home**`);
  await synced(other);
  expect(await other.evaluate(async () => (await fetch('/api/users/me')).status)).toBe(200);
  // who signs out where that was looked at again is signed out
  await page.goto(`${url}/logout`);
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.reload();
  await signIn(other, url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/home**`);
  await signOut(page);
  await signIn(other, url);
  // and by its address it is one like any other
  await page.goto(`${url}/logout`);
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await other.waitForURL(/\/log(in|out)$/);
  await other.close();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInHere();
  await page.waitForURL((at) => !/^\/log(in|out)$/.test(at.pathname));
});

test('[SE31] an hour without a click, a load or a scroll leads to /logout, and from the sign-in page nowhere', async () => {
  const profile = aFolder('session-idle');
  const { context, page: idle } = await openBrowser(profile.path);
  const pathNow = () => new URL(idle.url()).pathname;
  const sinceActivityMs = () => idle.evaluate(() => Date.now() - Number(localStorage.getItem('last_activity_at')));
  try {
    await idle.clock.install();
    await signIn(idle, url);
    await idle.goto(`${url}/transactions?entity=${entity}&dates=all`);
    await idle.getByRole('row').nth(5).waitFor();
    const activities = [
      () => idle.getByRole('main').click({ position: { x: 4, y: 4 } }),
      async () => {
        await idle.getByRole('grid').hover();
        await idle.mouse.wheel(0, 400);
      },
      () => idle.reload(),
    ];
    for (const act of activities) {
      await idle.clock.fastForward('59:00');
      // a busy browser may drop a turn of the wheel
      const acted = async () => {
        await act();
        return sinceActivityMs();
      };
      await expect.poll(acted, { timeout: 60_000, message: act.toString() }).toBeLessThan(60_000);
      expect(pathNow()).toBe('/transactions');
    }
    await idle.getByRole('row').nth(5).waitFor();
    // rows that arrive late may still scroll once, and the next hour is silent
    const anHourOn = async () => {
      await idle.clock.fastForward('01:01:00');
      return pathNow();
    };
    await expect.poll(anHourOn, { timeout: 60_000 }).toBe('/logout');
    await idle.getByText('You were signed out after an hour without activity').waitFor();
    await idle.getByRole('link', { name: 'Sign in' }).click();
    await idle.waitForURL(`${url}/login`);
    await idle.clock.fastForward('03:00:00');
    expect(pathNow()).toBe('/login');
  } finally {
    await context.close();
    profile.remove();
  }
});
