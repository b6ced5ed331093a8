import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { signIn, signOut, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained } from '#tests/support/outbox-badge.ts';
import { takeTheLead } from '#tests/support/planted-edits.ts';

// An edit said otherwise in the outbox by keys alone, each step going on where the one before it ended.

let app: DemoApp;
let page: Page;

beforeAll(async () => {
  app = await openDemo('outbox-forms');
  ({ page } = app);
});
// one test that fails leaves no other without a network
afterEach(() => app?.context.setOffline(false));
afterAll(() => app?.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const waiting = () => page.getByRole('region', { name: /^Waiting/ }).getByRole('listitem');
const badge = () => page.getByRole('banner').getByRole('link', { name: /^Outbox/ });
const form = () => page.getByRole('dialog', { name: 'Create Client' });
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

/** Goes to something by the Tab key alone. */
async function tabTo(target: Locator): Promise<void> {
  for (let stops = 0; stops < 120; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await press('Tab');
  }
  throw new Error(`The Tab key does not reach ${String(target)}`);
}

/** Makes a client that is not sent, and goes to it in the outbox. */
async function makeUnsent(name: string, holdBack: () => Promise<unknown>): Promise<void> {
  await page.goto(`${app.server.url}/clients`);
  await page.getByRole('button', { name: 'Create Client' }).waitFor();
  await holdBack();
  await tabTo(page.getByRole('button', { name: 'Create Client' }));
  await press('Enter');
  await form().getByLabel('Client Name').waitFor();
  await page.keyboard.type(name);
  await press('Enter');
  await expect.poll(() => badge().getAttribute('aria-label')).toMatch(/^Outbox, 1 edit waits/);
  await tabTo(badge());
  await press('Enter');
  await waiting()
    .filter({ hasText: `Create client: ${name}` })
    .waitFor();
}

test('[OS22] a client made without a network is given another name where it waits, by keys alone, and is sent once', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // a round that is under way would send it all the same, for the worker of all tabs is beyond the browser's own switch
  const lead = await takeTheLead(app.context, app.server.url);
  await page.bringToFront();
  await makeUnsent('Brich Family', () => app.context.setOffline(true));
  await tabTo(waiting().getByRole('button', { name: /^Edit/ }));
  await press('Enter');
  const field = form().getByLabel('Client Name');
  await expect.poll(() => field.inputValue()).toBe('Brich Family');
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await press('Escape');
  await expect.poll(focused).toBe('Edit: Create client: Brich Family');

  await press('Enter');
  await field.waitFor();
  await press('Control+a', 'Delete', 'Enter');
  await form().getByRole('alert').filter({ hasText: 'Client Name is required' }).waitFor();
  await page.keyboard.type('Birch Family');
  await press('Enter');
  await waiting().filter({ hasText: 'Create client: Birch Family' }).waitFor();
  await expect.poll(focused).toBe('Edit: Create client: Birch Family');
  expect(await waiting().count()).toBe(1);

  await app.context.setOffline(false);
  await lead.close();
  await page.getByText('Nothing waits: everything you did has reached the server').waitFor({ timeout: 60_000 });
  const clients = await page.evaluate(
    async () => (await (await fetch('/api/clients/')).json()) as { client_name: string; version: number }[],
  );
  // a client sent twice, or changed after, would be in a later version
  expect(clients.filter(({ client_name: name }) => name.endsWith('ch Family'))).toMatchObject([
    { client_name: 'Birch Family', version: 1 },
  ]);

  // the debugger, by which faults are looked for, brings the network back
  await makeUnsent('Elm Family', async () => {
    await takeTheLead(app.context, app.server.url);
    await page.bringToFront();
  });
  await tabTo(waiting().getByRole('button', { name: /^Edit/ }));
  await press('Enter');
  await field.waitFor();
  await press('Control+a', 'Delete', 'Enter');
  await form().getByRole('alert').filter({ hasText: 'Client Name is required' }).waitFor();
  await looksRightIn({ context: app.context, page }, 'edit-client');
});

test('[OS23] a role and assignments that wait are said otherwise in the forms they were chosen in, by keys alone, and sent as said last', async () => {
  const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
  const auditor = 'auditor@tieout.example';
  for (const other of app.context.pages()) if (other !== page) await other.close();
  await page.goto(`${app.server.url}/home`);
  // what still waits would be asked about
  await drained(page);
  await signOut(page);
  await signIn(page, app.server.url, superuser);
  await synced(page);
  await page.goto(`${app.server.url}/users`);
  await page.getByRole('link', { name: auditor }).click();
  const role = page.getByRole('combobox', { name: 'Role in Harbor Ledger Advisory' });
  await role.waitFor();
  const leader = await takeTheLead(app.context, app.server.url);
  await page.bringToFront();
  await role.selectOption({ label: 'Reporter' });
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByRole('treeitem', { name: /^Hawthorne/ }).click();
  await page.getByRole('button', { name: 'Save assignments' }).click();
  await expect.poll(() => badge().getAttribute('aria-label')).toMatch(/^Outbox, 2 edits wait/);
  await tabTo(badge());
  await press('Enter');

  const editRole = (name: string) => `Edit: Role of ${auditor} in Harbor Ledger Advisory: ${name}`;
  await tabTo(page.getByRole('button', { name: editRole('Reporter') }));
  await press('Enter');
  const roleForm = page.getByRole('dialog', { name: 'Update Role' });
  const select = roleForm.getByLabel('Role in Harbor Ledger Advisory');
  await expect.poll(() => select.evaluate((element) => element === document.activeElement)).toBe(true);
  await press('Home');
  await roleForm.getByText('Everything assigned there goes with it').waitFor();
  await roleForm.getByRole('button', { name: 'Take out' }).waitFor();
  await looksRightIn({ context: app.context, page }, 'edit-role');
  await page.keyboard.type('Bookkeeper');
  await tabTo(roleForm.getByRole('button', { name: 'Save role' }));
  await press('Enter');
  await expect.poll(focused).toBe(editRole('Bookkeeper'));

  await tabTo(page.getByRole('button', { name: `Edit: Assignments of ${auditor}` }));
  await press('Enter');
  const tree = page.getByRole('dialog', { name: 'Update Assignments' });
  const client = tree.getByRole('treeitem', { name: /^Hawthorne/ });
  await client.waitFor();
  expect(await client.getAttribute('aria-checked')).toBe('true');
  await tabTo(tree.getByRole('treeitem', { name: /^Harbor/ }));
  await press('h', 'Space');
  await expect.poll(() => client.getAttribute('aria-checked')).toBe('false');
  await press('m', 'Space');
  await looksRightIn({ context: app.context, page }, 'edit-assignments');
  await tabTo(tree.getByRole('button', { name: 'Save assignments' }));
  await press('Enter');
  await expect.poll(focused).toBe(`Edit: Assignments of ${auditor}`);

  await leader.close();
  await page.reload();
  await page.getByText('Nothing waits: everything you did has reached the server').waitFor({ timeout: 60_000 });
  await page.goto(`${app.server.url}/users`);
  await page.getByRole('link', { name: auditor }).click();
  await expect.poll(() => role.inputValue()).toBe('bookkeeper');
  expect(await page.getByRole('treeitem', { name: /^Hawthorne/ }).getAttribute('aria-checked')).toBe('false');
}, 180_000);
