import { writeFileSync } from 'node:fs';
import { type SQL, sql } from 'drizzle-orm';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPglite } from '#server/database/open.ts';
import { demoUsers } from '#server/seed/demo.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer, signIn, startServer, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained } from '#tests/support/outbox-badge.ts';

let app: DemoApp;
let server: RunningServer;
let page: Page;
const shots = process.env.SHOTS;
const entityId = demoIdOf.entity('Meridian Master Fund LP');
const client = 'Meridian Digital Assets';

beforeAll(async () => {
  app = await openDemo('client-work', { settings: { ENVIRONMENT_NAME: 'qa' } });
  ({ server, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

/** What opens in the grid is looked at by its own test; a menu closes where the window changes. */
async function shot(name: string): Promise<void> {
  if (shots) writeFileSync(`${shots}/${name}.png`, await page.screenshot());
}

/** Something is done to the database, while no server has it open. */
async function elsewhere(what: SQL): Promise<void> {
  const database = await openPglite(app.env.DATA_DIR ?? '');
  await database.db.execute(what);
  await database.close();
}

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const menu = () => page.getByRole('navigation', { name: 'Main' });
const entry = (name: string) => menu().getByRole('link', { name, exact: true });
/** The cell of the asset in the first row that has one, and the ticker that stands there. */
async function assetCell() {
  await page.goto(`${server.url}/transactions?entity=${entityId}&dates=all`);
  const cell = page.locator('[data-row="0"] [data-column]').filter({ hasText: /^[A-Z]{2,6}$/ });
  await cell.first().waitFor();
  return { cell: cell.first(), ticker: (await cell.first().textContent()) ?? '' };
}
const archivedThere = async () =>
  (await (await app.context.request.get(`${server.url}/api/archived_assets`)).json()) as { is_spam: boolean }[];

describe('archived assets', () => {
  test('[AA12] an asset is marked as spam in the menu of its cell and archived beside its row, without a network, and undone', async () => {
    await server.stop();
    const { cell, ticker } = await assetCell();
    await cell.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Mark as spam' }).waitFor();
    await shot('asset-menu');
    await page.getByRole('menuitem', { name: 'Mark as spam' }).click();
    await page.getByText(`${ticker} marked as spam`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    // kept on the device a moment after the click
    const asked = async (): Promise<number> => {
      await cell.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Open' }).waitFor();
      const archived = await page.getByRole('menuitem', { name: 'Unarchive asset' }).count();
      if (archived > 0) await page.keyboard.press('Escape');
      return archived;
    };
    await expect.poll(asked).toBe(0);
    await page.getByRole('menuitem', { name: 'Open' }).click();
    const asset = page.getByRole('region', { name: 'Asset' });
    await asset.getByText('Not archived').waitFor();
    await asset.getByRole('button', { name: 'Archive asset' }).click();
    await asset.getByText('Archived', { exact: true }).waitFor();
    await shot('asset-of-row');

    // who looks for it finds it all the same
    await page.keyboard.press('Escape');
    await page
      .getByRole('search', { name: 'Filters' })
      .getByRole('button', { name: /^Security/ })
      .click();
    const picker = page.getByRole('list', { name: 'Security' });
    await picker.getByText('1 archived: type to find').waitFor();
    expect(await picker.getByText(ticker, { exact: true }).count()).toBe(0);
    await page.getByLabel('Find security').fill(ticker);
    await picker.getByText(ticker, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  }, 120_000);

  test('[AA13] the dialog of a client finds what is archived by name and kind, and shows several again at once', async () => {
    await page.goto(`${server.url}/clients`);
    await page.getByRole('button', { name: `Archived Assets of ${client}` }).click();
    const list = dialog('Archived Assets').getByRole('list', { name: 'Archived assets' });
    await list.getByRole('img', { name: /^queued/ }).waitFor();
    await looksRight('archived-assets');
    await page.getByRole('radio', { name: 'Spam', exact: true }).check({ force: true });
    await page.getByText('No archived asset is like that').waitFor();
    await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
    await page.getByLabel('Find asset').fill('no such thing');
    await page.getByText('No archived asset is like that').waitFor();
    await page.getByLabel('Find asset').fill('');
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Mark as spam' }).click();
    await list.getByText('Spam').waitFor();

    server = await startServer(app.env);
    await drained(page);
    expect(await archivedThere()).toMatchObject([{ is_spam: true }]);
    await list.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Unarchive Assets' }).click();
    await page.getByText('Nothing is archived').waitFor();
    await shot('archived-assets-empty');
    // the badge may say of a moment ago that nothing waits
    await expect.poll(archivedThere, { timeout: 60_000 }).toEqual([]);
    await drained(page);
    await page.keyboard.press('Escape');
  }, 120_000);
});

describe('the panels of an entity', () => {
  test('[PL27] accounts that do not tie out are told as of the day one chooses, the worst first, and lead to their rows', async () => {
    await server.stop();
    await page.goto(`${server.url}/entities/${entityId}`);
    await page.getByRole('heading', { name: 'Unreconciled accounts' }).waitFor();
    await page.getByText('There is no network, and this was not looked at here before.').first().waitFor();
    await elsewhere(
      sql`delete from account_reconciliations where account_id in (select id from accounts where entity_id = ${entityId}::uuid)`,
    );
    await elsewhere(sql`insert into account_reconciliations (account_id, end_date, status, breaks)
      select id, current_date - 200, case no when 1 then 'UNRECONCILED' when 2 then 'UNRECONCILED' when 3 then 'NO_SNAPSHOT' else 'RECONCILED' end,
        case when no < 3 then jsonb_build_array(jsonb_build_object('security_id', null, 'ticker', 'BTC', 'reported', '12.5',
          'computed', (12.5 - no)::text, 'difference', no::text, 'difference_usd', (no * 60000)::text)) else '[]'::jsonb end
      from (select id, row_number() over (order by account_name) as no from accounts where entity_id = ${entityId}::uuid) a`);
    server = await startServer(app.env);
    await page.reload();
    const table = page.getByRole('table', { name: 'Unreconciled accounts' });
    await table.waitFor({ timeout: 30_000 });
    const amounts = await table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .getByRole('cell')
      .allTextContents();
    expect(amounts).toEqual(['120,000.00', '60,000.00', '–']);
    await table.getByText(/^2.0/).waitFor();
    await looksRight('entity-panels');
    const account = (await table.getByRole('rowheader').first().getByRole('link').textContent()) ?? '';
    await page.getByLabel('As of the end of day (UTC)').fill('2020-01-31');
    await table.getByText('Not compared yet').first().waitFor();
    await page.reload();
    await table.getByRole('link', { name: account }).click();
    await page.waitForURL(/\/transactions\?.*account=/);
    await page
      .getByRole('search', { name: 'Filters' })
      .getByRole('button', { name: new RegExp(`^Account.*${account}`) })
      .waitFor();
  }, 120_000);

  test('[PL28] an entity tells what it holds with a total, and what its client archives there goes out of it at once', async () => {
    await page.goto(`${server.url}/entities/${entityId}`);
    const table = page.getByRole('table', { name: 'Balances' });
    await table.waitFor();
    await table.scrollIntoViewIfNeeded();
    const rows = () => table.getByRole('button', { name: /^Actions for/ }).count();
    const [before, total] = [await rows(), await table.getByRole('row').last().textContent()];
    expect(before).toBeGreaterThan(2);
    const act = async (words: string) => {
      await table
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: words }).click();
    };
    await act('Archive asset');
    await expect.poll(rows).toBe(before - 1);
    expect(await table.getByRole('row').last().textContent()).not.toBe(total);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rows).toBe(before);
    await act('Mark as spam');
    await page.getByLabel('Show 1 archived asset').check();
    await expect.poll(rows).toBe(before);
    await table.getByText('Spam', { exact: true }).waitFor();
    await looksRight('entity-balances');
    await act('Unarchive asset');
    await expect.poll(() => page.getByLabel('Show 1 archived asset').count()).toBe(0);
    await drained(page);

    // what was looked at stays, with the time it is of
    await server.stop();
    await page
      .getByText(/^There is no network: this is how it was at \d\d:\d\d UTC/)
      .first()
      .waitFor();
    expect(await rows()).toBe(before);
    server = await startServer(app.env);
  }, 120_000);
});

describe('a form', () => {
  test('[PL36] keeps what somebody else changed while it was open', async () => {
    await page.goto(`${server.url}/entities/${entityId}`);
    const there = () =>
      page.evaluate(
        async (id) => (await (await fetch(`/api/entities/${id}`)).json()) as { entity_name: string; city: string | null },
        entityId,
      );
    const { entity_name: was } = await there();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    const form = dialog('Update Entity');
    await form.getByLabel('City').fill('Zug');
    const status = await page.evaluate(
      async ([id, name]) => {
        const entity = await (await fetch(`/api/entities/${id}`)).json();
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`/api/entities/${id}`, { method: 'PUT', headers, body: JSON.stringify({ ...entity, entity_name: name }) }))
          .status;
      },
      [entityId, `${was} II`] as const,
    );
    expect(status).toBe(200);
    // it is on the device by then, beneath the form
    await page.getByRole('heading', { level: 1, name: `${was} II`, includeHidden: true }).waitFor();
    await form.getByRole('button', { name: 'Update Entity' }).click();
    await expect.poll(there).toMatchObject({ entity_name: `${was} II`, city: 'Zug' });
    await drained(page);
  });
});

describe('the shell', () => {
  test('[SH5] the menu and the drawer stay as they were left, and the header stays off by what the specification says', async () => {
    await page.goto(`${server.url}/home`);
    const header = page.getByRole('banner');
    const stays = () =>
      header.evaluate((element) => {
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        return { inner: element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), window: innerWidth };
      });
    await header.waitFor();
    expect((await stays()).window - 232 - (await stays()).inner).toBe(64);
    await page.getByRole('button', { name: 'Collapse menu' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Expand menu' }).waitFor();
    expect((await stays()).window - (await stays()).inner).toBe(96);
    await page.getByRole('button', { name: 'Expand menu' }).click();
    expect(await page.getByRole('button', { name: 'Open menu' }).count()).toBe(0);

    await page.setViewportSize(sizes.narrow);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await dialog('Menu').getByRole('link', { name: 'Clients' }).waitFor();
    await page.reload();
    await dialog('Menu').getByRole('link', { name: 'Clients' }).click();
    await page.waitForURL('**/clients');
    await page.reload();
    await page.getByRole('button', { name: 'Open menu' }).waitFor();
    expect(await dialog('Menu').count()).toBe(0);
    await page.setViewportSize(sizes.wide);
  }, 120_000);

  test('[SH6] the bar says which environment it is, the foot asks anew when clicked, and the user menu has its lines', async () => {
    await page.goto(`${server.url}/home`);
    await page.getByText('ENVIRONMENT QA').waitFor();
    // one that is on its way is not asked for again
    await page
      .getByText(/^\d+ ms$/)
      .first()
      .waitFor();
    const asked = page.waitForRequest('**/api/diagnosis');
    await page.getByRole('button', { name: /Web build [0-9a-z.-]{1,7}$/ }).click();
    await asked;
    await page.getByRole('button', { name: 'User menu' }).click();
    const menuItems = page.getByRole('menu', { name: 'User menu' });
    await menuItems.getByText('accountant@tieout.example').waitFor();
    expect(await menuItems.getByRole('menuitem').allTextContents()).toEqual(['Settings', 'Dark Theme, off', 'Report an issue', 'Sign Out']);
    await menuItems.getByRole('menuitem', { name: /^Dark Theme/ }).click();
    await expect.poll(() => page.evaluate(() => document.body.className)).toContain('dark');
    await menuItems.getByRole('menuitem', { name: /^Dark Theme/ }).click();
    await menuItems.getByRole('menuitem', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    // a page of nobody has no menus
    await page.goto(`${server.url}/logout`);
    await page.waitForURL('**/logout');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect([await menu().count(), await page.getByRole('button', { name: 'User menu' }).count()]).toEqual([0, 0]);
  }, 120_000);
});

describe('organizations', () => {
  test('[PL29] an organization is taken along in the address by the menu, narrows its screens, is there again at the start, and is taken away by its chip', async () => {
    const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
    if (!superuser) throw new Error('The demo has no superuser');
    await signIn(page, server.url, superuser);
    await synced(page);
    await page.goto(`${server.url}/clients`);
    const clients = page.getByRole('grid', { name: 'Clients' }).getByRole('row');
    await clients.first().waitFor();
    const all = await clients.count();
    await entry('Organizations').click();
    await page.getByRole('link', { name: /clients? of Northlight Fund Services$/ }).click();
    await page.waitForURL(/\/clients\?organizationId=/);
    await expect.poll(() => clients.count()).toBeLessThan(all);
    await looksRight('clients-of-organization');
    const { search } = new URL(page.url());
    await entry('Home').click();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/home${search}`);
    await page.getByText('Organization: Northlight Fund Services').waitFor();
    await looksRight('home-of-organization');
    // a screen that does not know of it leaves it behind
    await entry('Clients').click();
    await expect.poll(() => new URL(page.url()).search).toBe(search);
    await page.getByRole('grid', { name: 'Clients' }).getByRole('link').first().click();
    await page.waitForURL(/\/entities\?/);
    expect(new URL(page.url()).searchParams.get('organizationId')).toBe(new URLSearchParams(search).get('organizationId'));
    // the app begins where one left off
    await page.goto(server.url);
    await page.getByText('Organization: Northlight Fund Services').waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/home${search}`);
    await entry('Clients').click();
    // the screen before it has such a button, too
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    await page.getByRole('button', { name: 'Show all organizations' }).click();
    await expect.poll(() => clients.count()).toBe(all);
    expect(new URL(page.url()).search).toBe('');
    await page.goto(server.url);
    await page.waitForURL('**/home');
    expect(new URL(page.url()).search).toBe('');
    await entry('Clients').click();
  }, 120_000);

  test('[PL30] the settings of an organization are changed', async () => {
    await entry('Organizations').click();
    await page.getByRole('link', { name: 'Northlight Fund Services', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save settings' });
    await save.waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Name').fill(' ');
    await save.click();
    await page.getByText('Name is required').waitFor();
    await page.getByLabel('Name').fill('Northlight Fund Services');
    await page.getByLabel('Default accounting system').selectOption({ label: 'Titan' });
    await page.getByLabel('Time zone').selectOption('JST');
    await looksRight('organization-settings');
    await save.click();
    await page.getByText('Organization settings successfully updated').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Default accounting system').inputValue()).toBe('3');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('JST');
  }, 120_000);

  test('[PL37] what somebody else set in an organization while its form was open is not written over unseen', async () => {
    const organization = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const there = () =>
      page.evaluate(async (id) => {
        const answer = await fetch(`/api/organizations/get_organization_settings?organization_id=${id}`, { method: 'POST' });
        return (await answer.json()) as Record<string, unknown>;
      }, organization);
    const name = page.getByLabel('Name');
    await name.fill('Northlight');
    const theirs = { ...(await there()), name: 'Northlight LLP', time_zone: 'CET' };
    const status = await page.evaluate(
      async ([id, body]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`/api/organizations/${id}/settings`, { method: 'PUT', headers, body })).status;
      },
      [organization, JSON.stringify(theirs)] as const,
    );
    expect(status).toBe(200);
    const save = page.getByRole('button', { name: 'Save settings' });
    await save.click();
    await page.getByText('Name is now Northlight LLP').waitFor();
    expect(await there()).toMatchObject({ name: 'Northlight LLP' });
    expect(await name.inputValue()).toBe('Northlight');
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('CET');
    await looksRight('organization-settings-changed-elsewhere');
    await name.fill('Northlight Fund Services');
    await save.click();
    await expect.poll(there).toMatchObject({ name: 'Northlight Fund Services', time_zone: 'CET' });
    await expect.poll(() => page.getByText('Name is now').count()).toBe(0);
  }, 120_000);

  test('[PL38] a new entity begins with the accounting system of its organization, and settings are there to read without a network', async () => {
    await page.getByRole('link', { name: 'Clients of this organization' }).click();
    await page.getByRole('grid', { name: 'Clients' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Create Entity' }).click();
    await page.waitForURL(/\/entities\/new\?.*organizationId=/);
    await expect.poll(() => page.getByLabel('Accounting System').inputValue()).toBe('3');
    await page.getByLabel('Allocation Method').selectOption({ label: 'HIFO' });
    await looksRight('new-titan-entity');
    await page.getByLabel('Accounting System').selectOption({ label: 'AT Web' });
    expect(await page.getByLabel('Allocation Method').count()).toBe(0);

    // without a network they are there to read
    await entry('Organizations').click();
    await server.stop();
    await page.getByRole('link', { name: 'Northlight Fund Services', exact: true }).click();
    await page.getByText('There is no network. Settings are changed at the server at once').waitFor({ timeout: 60_000 });
    expect(await page.getByLabel('Time zone').inputValue()).toBe('CET');
    await shot('organization-settings-offline');
  }, 120_000);
});
