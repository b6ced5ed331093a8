import { cpSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { seriousFaultsOf } from '#tests/support/axe.ts';
import { accountant, aFolder, freePort, openBrowser, type RunningServer, startServer, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { aProvider, type TestProvider } from '#tests/support/provider.ts';

// Signing in through a real provider in a real browser, and what one sees of sign-ins afterwards, in order.

const data = aFolder('oauth-data');
const profile = aFolder('oauth-profile');
let provider: TestProvider;
let server: RunningServer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const port = await freePort();
  provider = await aProvider(`http://localhost:${port}/oauth/callback`);
  provider.add({ subject: 'accountant', email: accountant.email, isVerified: true });
  provider.add({ subject: 'stranger', email: 'stranger@example.org', isVerified: true });
  cpSync(inject('demoTemplate'), data.path, { recursive: true });
  server = await startServer({
    DATA_DIR: data.path,
    PORT: String(port),
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.clientId,
    OIDC_CLIENT_SECRET: provider.client.clientSecret,
    OIDC_LABEL: 'Example ID',
  });
  ({ context, page } = await openBrowser(profile.path));
});
afterAll(async () => {
  await context?.close();
  await server?.stop('SIGKILL');
  await provider?.stop();
  data.remove();
  profile.remove();
});

const button = () => page.getByRole('button', { name: 'Sign in with Example ID' });

async function atProvider(): Promise<void> {
  await button().click();
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
}

describe('sign-in by provider', () => {
  test('[OI19] whom nobody knows, and who says no, reads why and is led back to sign in', async () => {
    await page.goto(`${server.url}/login`);
    expect(await seriousFaultsOf(context, page)).toEqual([]);
    await atProvider();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'cancelled or refused at the provider' }).waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.waitForURL(`${server.url}/login`);
    await atProvider();
    await page.getByRole('link', { name: 'stranger@example.org' }).click();
    await page.getByRole('alert').filter({ hasText: 'Invalid credentials' }).waitFor();
    expect(await seriousFaultsOf(context, page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.waitForURL(`${server.url}/login`);
    expect(await page.evaluate(() => sessionStorage.getItem('login_response'))).toBeNull();
  });

  test('[OI20] signing in through the provider ends where one was going, with the code out of the address', async () => {
    // the provider still knows them as the stranger
    await context.clearCookies();
    await page.goto(`${server.url}/login`);
    await atProvider();
    await page.getByRole('link', { name: accountant.email }).click();
    await page.waitForURL(`${server.url}/home`);
    await page.getByRole('heading').first().waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('login_response'))).toMatch(/refresh_token/);
    await page.goto(`${server.url}/logout`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goto(`${server.url}/settings`);
    // the provider knows who they are by now
    await button().click();
    await page.waitForURL(`${server.url}/settings`);
  });

  test('[SE23] the settings list where one is signed in, revoke what is not this one, and need the network for it', async () => {
    const elsewhere = async (): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}/api/login`, { method: 'POST', headers, body: JSON.stringify(accountant) });
      return answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    };
    const cookies = [await elsewhere(), await elsewhere(), await elsewhere()];
    const statuses = () =>
      Promise.all(cookies.map(async (cookie) => (await fetch(`${server.url}/api/users/me`, { headers: { cookie } })).status));
    await page.goto(`${server.url}/settings`);
    const rows = page.getByRole('table', { name: 'Sign-ins' }).getByRole('row');
    // the head, this one, and the three
    await expect.poll(() => rows.count()).toBe(5);
    await rows.filter({ hasText: 'This one' }).waitFor();
    await rows.getByRole('button').first().click();
    await expect.poll(() => rows.count()).toBe(4);
    // the button is gone; the keyboard stays where it was
    await expect.poll(() => page.evaluate(() => document.activeElement?.querySelector('table')?.ariaLabel)).toBe('Sign-ins');
    expect((await statuses()).sort()).toEqual([200, 200, 401]);
    await page.getByRole('button', { name: 'Revoke all others' }).click();
    await page.getByText('You are signed in nowhere else.').waitFor();
    expect(await statuses()).toEqual([401, 401, 401]);
    await context.setOffline(true);
    await page.getByText('Where you are signed in is known to the server alone.').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('There is no network. Where you are signed in is known to the server alone.');
    await context.setOffline(false);
    await rows.filter({ hasText: 'This one' }).waitFor();
  });

  test('[SE47] who signed in through the provider sets a passphrase, and opens the device with it where there is no network', async () => {
    await page.goto(`${server.url}/settings`);
    const section = page.getByRole('region', { name: 'Without the network' });
    const passphrase = 'ledger on the night train';
    await section.getByRole('button', { name: 'Set a passphrase' }).click();
    await expect
      .poll(() => section.getByLabel('Passphrase', { exact: true }).evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('too short');
    await page.keyboard.press('Enter');
    await section.getByText('A passphrase has at least 12 characters').waitFor();
    await section.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await section.getByLabel('The same again').fill('ledger on the day train');
    await page.keyboard.press('Enter');
    await section.getByText('The two are not the same').waitFor();
    await looksRightIn({ context, page }, 'offline-passphrase');
    await section.getByLabel('The same again').fill(passphrase);
    await page.keyboard.press('Enter');
    await section.getByRole('button', { name: 'Change passphrase' }).waitFor();
    expect(await section.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    await looksRightIn({ context, page }, 'offline-passphrase-set');
    await synced(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

    await context.setOffline(true);
    await page.goto(`${server.url}/logout`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    const signIn = async (secret: string): Promise<void> => {
      await page.getByLabel('Email').fill(accountant.email);
      await page.getByLabel('Password').fill(secret);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await signIn('ledger on the day train');
    await page.getByRole('alert').getByText('Wrong passphrase. 4 more tries without the network.').waitFor();
    await looksRightIn({ context, page }, 'offline-sign-in');
    await signIn(passphrase);
    await page
      .getByRole('heading', { name: 'Settings', exact: true })
      .or(page.getByRole('heading', { name: 'Home', exact: true }))
      .waitFor();

    // once the server knows them no more nothing opens without it, and the passphrase is good again after the next sign-in
    await context.clearCookies();
    await context.setOffline(false);
    // a document loaded while the browser is offline is at times not told of that, and so not of the network either: then the next look
    // at the server finds it out, within half a minute
    await page.waitForURL(/\/logout/, { timeout: 60_000 });
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(passphrase);
    await page.getByRole('alert').getByText('The server ended your session. Signing in needs the network once.').waitFor();
    await context.setOffline(false);
    await atProvider();
    await page.getByRole('link', { name: accountant.email }).click();
    await page.getByRole('button', { name: 'User menu' }).waitFor();
    await page.goto(`${server.url}/settings`);
    await section.getByRole('button', { name: 'Remove passphrase' }).click();
    await section.getByRole('button', { name: 'Set a passphrase' }).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('offline_unlock')))).toEqual([]);
  });
});
