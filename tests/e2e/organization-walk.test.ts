import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { aFolder, openBrowser, type RunningServer, signIn, signOut, startServer, synced } from '#tests/support/e2e.ts';
import { drained } from '#tests/support/outbox-badge.ts';

const password = 'larch and alder stand there';
const colleague = aFolder('walk-colleague');
let app: DemoApp;
let server: RunningServer;
let url: string;
/** The superuser's page, and that of the person who comes to work there. */
let page: Page;
let theirs: Page;
let closeTheirs: () => Promise<void>;

beforeAll(async () => {
  app = await openDemo('walk');
  ({ page } = app);
  ({ server } = app);
  ({ url } = server);
  const browser = await openBrowser(colleague.path);
  theirs = browser.page;
  closeTheirs = () => browser.context.close();
  await signOut(page);
  const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
  if (!superuser) throw new Error('The demo has no superuser');
  await signIn(page, url, superuser);
  await synced(page);
});
afterAll(async () => {
  await closeTheirs?.();
  await server?.stop('SIGKILL');
  await app?.close();
  colleague.remove();
});

/** Fills a dialog and confirms it by the button that bears its title. */
async function fillIn(at: Page, title: string, fields: Record<string, string>, choices: Record<string, string> = {}): Promise<void> {
  const dialog = at.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  for (const [label, choice] of Object.entries(choices)) await dialog.getByLabel(label).selectOption({ label: choice });
  await dialog.getByRole('button', { name: title }).click();
}

async function updateCity(at: Page, city: string): Promise<void> {
  await at.getByRole('button', { name: 'Update', exact: true }).click();
  await fillIn(at, 'Update Entity', { City: city });
  await expect.poll(() => at.getByRole('dialog').count()).toBe(0);
}

test('[WK1] an organization is set up, and whoever comes to work in it sees that alone', async () => {
  await page.goto(`${url}/organizations`);
  await page.getByRole('button', { name: 'Create Organization' }).click();
  await fillIn(page, 'Create Organization', { Name: 'Larch Advisory' });
  await page.getByText('Organization successfully created').waitFor();
  await page.goto(`${url}/clients`);
  await page.getByRole('button', { name: 'Create Client' }).click();
  await fillIn(page, 'Create Client', { 'Client Name': 'Alder Family' }, { 'Organization ID': 'Larch Advisory' });
  await page.getByText('Client successfully created').waitFor();
  await page.getByRole('link', { name: 'Alder Family' }).click();
  await page.getByRole('link', { name: 'Create Entity' }).click();
  await page.getByLabel('Entity Name').fill('Alder Trust');
  await page.getByRole('button', { name: 'Create Entity' }).click();
  await page.getByRole('heading', { name: 'Alder Trust' }).waitFor();
  await drained(page);

  await page.goto(`${url}/users`);
  await page.getByRole('button', { name: 'Invite User' }).click();
  await fillIn(page, 'Invite User', { Email: 'birch@larch.example' }, { Organization: 'Larch Advisory', Role: 'Accountant' });
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'birch@larch.example' }).click();
  await page.getByRole('treeitem', { name: /^Alder Family/ }).click();
  await page.getByRole('button', { name: 'Save assignments' }).click();
  await drained(page);

  await theirs.goto(link);
  await theirs.getByLabel('New password').fill(password);
  await theirs.getByLabel('The same again').fill(password);
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click();
  await theirs.waitForURL(`${url}/home`);
  await synced(theirs);
  for (const [path, name, seen] of [
    ['/clients', 'Clients', 'Alder Family'],
    ['/entities', 'Entities', 'Alder Trust'],
  ] as const) {
    await theirs.goto(`${url}${path}`);
    const table = theirs.getByRole('grid', { name });
    await table.waitFor();
    // the badge above may have said of a moment before the click that nothing waits
    await expect.poll(() => table.getByRole('link').allInnerTexts(), { timeout: 60_000 }).toEqual([seen]);
  }
});

test('[WK2] an edit made without a network outlives a reload, meets what somebody else wrote, and the person decides', async () => {
  await theirs.getByRole('link', { name: 'Alder Trust' }).click();
  await theirs.getByRole('heading', { name: 'Alder Trust' }).waitFor();
  await theirs.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const { pathname } = new URL(theirs.url());
  await server.stop();
  await updateCity(theirs, 'Porto');
  await theirs.reload();
  await theirs.getByRole('heading', { name: 'Alder Trust' }).waitFor();
  await theirs.getByRole('img', { name: /^queued/ }).waitFor();
  // their laptop stays closed until somebody else has written
  await theirs.goto('about:blank');
  server = await startServer(app.env);

  await page.goto(`${url}${pathname}`);
  await updateCity(page, 'Lisbon');
  const there = async () => (await (await app.context.request.get(`${url}/api${pathname}`)).json()) as unknown;
  await expect.poll(there, { timeout: 60_000 }).toMatchObject({ city: 'Lisbon' });
  await drained(page);

  const keep = theirs.getByRole('button', { name: /^Keep mine: Update entity: Alder Trust/ });
  await theirs.goto(`${url}/outbox`);
  await keep.waitFor({ timeout: 60_000 });
  await theirs.getByRole('row', { name: /City.*Porto.*Lisbon/ }).waitFor();
  await keep.click();
  await expect.poll(there, { timeout: 60_000 }).toMatchObject({ entity_name: 'Alder Trust', city: 'Porto' });
  await drained(theirs);
});

test('[WK3] whoever becomes an auditor is offered no change any more, and none is taken from them', async () => {
  const offered = () => theirs.getByRole('button', { name: /^(Update|Delete) |Create Client$/ }).count();
  await theirs.goto(`${url}/clients`);
  await theirs.getByRole('grid', { name: 'Clients' }).waitFor();
  await synced(theirs);
  expect(await offered()).toBeGreaterThan(0);
  await page.goto(`${url}/users`);
  await page.getByRole('link', { name: 'birch@larch.example' }).click();
  await page.getByLabel('Role in Larch Advisory').selectOption({ label: 'Auditor' });
  await page.getByRole('button', { name: 'Save role' }).click();
  // without a touch: the screen was open all the time
  await expect.poll(offered, { timeout: 60_000 }).toBe(0);
  const refused = await theirs.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const body = JSON.stringify({ id: crypto.randomUUID(), organization_id: crypto.randomUUID(), client_name: 'Not theirs' });
    return (await fetch('/api/clients', { method: 'POST', headers, body })).status;
  });
  expect(refused).toBe(403);
});
