import { type APIRequestContext, type Page, request } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { databasesIn } from '#tests/support/databases.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { seriousFaultsOf } from '#tests/support/axe.ts';
import { aFolder, accountant, openBrowser, signIn, synced } from '#tests/support/e2e.ts';

const superuser = { email: 'admin@tieout.example', password: 'tieout-demo-admin-2026' };
const auditor = { email: 'auditor@tieout.example', password: 'tieout-demo-review-2026' };
const entity = demoIdOf.entity('Meridian Master Fund LP');
const [accountantId, auditorId] = [accountant, auditor].map(({ email }) => demoIdOf.user(email));
let app: DemoApp;
let page: Page;
let url: string;
let asSuperuser: APIRequestContext;

beforeAll(async () => {
  app = await openDemo('revocation');
  page = app.page;
  // what fades in is looked at for its contrast, too
  await page.emulateMedia({ reducedMotion: 'reduce' });
  url = app.server.url;
  asSuperuser = await request.newContext();
  await asSuperuser.post(`${url}/api/login`, { data: superuser });
  // a reload would end the making of the key by which the device opens without the server
  const isMade = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('offline_unlock')));
  await vi.waitFor(async () => expect(await isMade()).toBe(true), 30_000);
  await page.clock.install();
  await page.reload();
  await synced(page);
});
// one test that fails leaves no other without a network
afterEach(() => app?.context.setOffline(false));
afterAll(async () => {
  await asSuperuser?.dispose();
  await app?.close();
});

const change = async (path: string, data: object): Promise<void> => {
  expect((await asSuperuser.put(`${url}/api/users/${accountantId}${path}`, { data })).status()).toBe(200);
};

/** Has so much of the lease be used up. */
const used = (ms: number) =>
  page.evaluate(({ key, used_ms }) => localStorage.setItem(key, JSON.stringify({ used_ms, looked_at: Date.now() })), {
    key: `offline_lease ${accountantId}`,
    used_ms: ms,
  });

const day = 24 * 3_600_000;

async function enter(password: string): Promise<void> {
  await page.getByLabel('Email').fill(accountant.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('[SH13] the screen of an entity is left for Home, and says so, once its client is taken from the person', async () => {
  await page.goto(`${url}/entities/${entity}`);
  await page.getByRole('heading', { name: 'Meridian Master Fund LP' }).waitFor();
  await page.getByRole('region', { name: 'Balances' }).getByRole('row').nth(2).waitFor();
  const client_id = await page.evaluate(
    async (id) => ((await (await fetch(`/api/entities/${id}`)).json()) as { client_id: string }).client_id,
    entity,
  );
  const nothing = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };
  await change('/clients', { ...nothing, unassign_clients: [client_id] });
  // what tells of it at once may be lost: then it is asked for every 30 seconds
  await page.waitForURL(`${url}/home`, { timeout: 60_000 });
  await page.getByText('You no longer have access to Meridian Master Fund LP.').waitFor();
  await change('/clients', { ...nothing, assign_clients: [client_id] });
  await page.getByRole('link', { name: 'Meridian Master Fund LP' }).first().waitFor();
});

test('[SE59] the days without the server are chosen without it; an open screen is left once they are over, and nothing opens before the next sign-in', async () => {
  await page.goto(`${url}/settings`);
  const days = page.getByRole('textbox', { name: 'Days without the server' });
  await days.waitFor();
  await app.context.setOffline(true);
  await days.fill('31');
  await page.getByRole('button', { name: 'Set days' }).click();
  await page.getByRole('alert').getByText('Choose a whole number of days from 1 to 30').waitFor();
  await days.fill('30');
  await page.getByRole('button', { name: 'Set days' }).click();
  await page.getByText('This device opens for 30 days without the server').waitFor();
  await page.getByText('for up to 30 days after the server last said who you are').waitFor();

  // three days were used by now: two are fewer
  await used(3 * day);
  await days.fill('2');
  await page.getByRole('button', { name: 'Set days' }).click();
  await page.waitForURL(`${url}/logout?**`);
  const over = 'This device has not met the server for 2 days. Signing in needs the network once.';
  await page.getByText(over).waitFor();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await enter(accountant.password);
  await page.getByRole('alert').getByText(over).waitFor();

  await app.context.setOffline(false);
  await enter(accountant.password);
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await synced(page);
  // and left open it is left once the time has come
  await app.context.setOffline(true);
  const twoMinutesOn = async () => {
    // the key that opens the device may be made only now, and renews the days as of the sign-in
    await used(2 * day - 60_000);
    await page.clock.fastForward('02:00');
    return new URL(page.url()).pathname;
  };
  await expect.poll(twoMinutesOn, { timeout: 60_000 }).toBe('/logout');
  await page.getByText(over).waitFor();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await app.context.setOffline(false);
});

test('[SG10] who ends a sign-in with that wish leaves nothing of theirs on its device, which says why', async () => {
  const profile = aFolder('revocation-elsewhere');
  const elsewhere = await openBrowser(profile.path);
  try {
    await signIn(elsewhere.page, url);
    await synced(elsewhere.page);
    await page.evaluate(() => localStorage.removeItem('redirect_url'));
    await signIn(page, url);
    await page.goto(`${url}/settings`);
    const remove = page.getByRole('button', { name: /^Remove copy under the sign-in/ });
    const dialog = page.getByRole('dialog', { name: 'Remove copy' });
    await remove.first().click();
    await dialog.getByRole('button', { name: 'Revoke and remove' }).waitFor();
    expect(await seriousFaultsOf(app.context, page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await remove.first().click();
    await dialog.getByRole('button', { name: 'Revoke and remove' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await elsewhere.page.goto(`${url}/home`);
    await elsewhere.page.waitForURL(`${url}/logout**`, { timeout: 60_000 });
    await elsewhere.page
      .getByRole('alert')
      .filter({ hasText: 'was revoked with the wish to remove what Tieout kept here, and that was done' })
      .waitFor({ timeout: 60_000 });
    expect((await databasesIn(elsewhere.page)).filter((name) => name.includes(accountantId ?? ''))).toEqual([]);
    // here all is as it was
    expect((await databasesIn(page)).filter((name) => name.includes(accountantId ?? '')).length).toBe(2);
    await page.clock.fastForward('01:01:00');
    await page.waitForURL(`${url}/logout?**`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  } finally {
    await elsewhere.context.close();
    profile.remove();
  }
});

test('[SG9] who was disabled finds what was kept gone, and why; whoever uses the browser, too, keeps theirs', async () => {
  // where somebody else was
  await page.evaluate(() => localStorage.removeItem('redirect_url'));
  await signIn(page, url, auditor);
  await synced(page);
  await page.clock.fastForward('01:01:00');
  await page.waitForURL(`${url}/logout?**`);
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await signIn(page, url);
  await synced(page);
  await page.goto(`${url}/entities/${entity}`);
  await page.getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog');
  // what somebody else says of the same meanwhile keeps it here, also where the worker still reaches the server
  const there = `${url}/api/entities/${entity}`;
  const held = (await (await asSuperuser.get(there)).json()) as object;
  expect((await asSuperuser.put(there, { data: { ...held, city: 'Porto' } })).status()).toBe(200);
  await dialog.getByLabel('City').fill('Lisbon');
  await app.context.setOffline(true);
  await dialog.getByRole('button', { name: 'Update Entity' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await change('', { name: null, is_enabled: false });
  await app.context.setOffline(false);
  await page.waitForURL(`${url}/logout`, { timeout: 60_000 });
  const why = page
    .getByRole('alert')
    .filter({ hasText: `The account ${accountant.email} was disabled, so what Tieout kept here for it was removed` });
  await why.waitFor({ timeout: 60_000 });
  expect(await why.textContent()).toMatch(/1 edit that had not reached the server went with it \(change of an entity: 1\)/);
  const databases = await databasesIn(page);
  expect(databases.filter((name) => name.includes(accountantId ?? ''))).toEqual([]);
  expect(databases.filter((name) => name.includes(auditorId ?? '')).length).toBe(2);
  expect(await page.evaluate((id) => Object.keys(localStorage).filter((key) => key.endsWith(id ?? '')), accountantId)).toEqual([]);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await why.waitFor();
  await enter(accountant.password);
  await page.getByText('Invalid credentials').waitFor();
  const entries = (await (await asSuperuser.get(`${url}/api/audit?noun=device_removals`)).json()) as { after: object; title: string }[];
  expect(entries[0]).toMatchObject({ title: accountant.email, after: { lost_edits: 1, lost_kinds: '1 edit: change of an entity' } });

  await signIn(page, url, auditor);
  await synced(page);
  expect(await page.evaluate(() => localStorage.getItem('copy_removed'))).toBe(null);
});
