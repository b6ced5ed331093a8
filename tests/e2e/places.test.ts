import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer, signIn, signOut, startServer, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained, outboxBadge } from '#tests/support/outbox-badge.ts';

let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('places');
  ({ server, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

const row = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('clients and entities', () => {
  test('[PL12] a client and its entity are made without a network, changed after a reload, and reach the server in order', async () => {
    await page.goto(`${server.url}/clients`);
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    await looksRight('clients');
    await server.stop();
    await page.getByRole('button', { name: 'Create Client' }).click();
    await page.getByLabel('Client Name').fill(' ');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click();
    await page.getByText('Client Name is required').waitFor();
    await looksRight('client-dialog');
    await page.getByLabel('Client Name').fill('Zeta Partners');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click();
    await row('Zeta Partners')
      .getByRole('img', { name: /^queued/ })
      .waitFor();

    await row('Zeta Partners').getByRole('link', { name: 'Zeta Partners' }).click();
    await page.getByText('No entities yet').waitFor();
    await page.getByRole('link', { name: 'Create Entity' }).click();
    await page.getByLabel('Entity Name').fill('Zeta Master Fund');
    await page.getByLabel('Entity Type').selectOption({ label: 'Fund' });
    await looksRight('new-entity');
    await page.getByRole('button', { name: 'Create Entity' }).click();
    await page.getByRole('heading', { name: 'Zeta Master Fund' }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByLabel('City').fill('Zürich');
    await looksRight('update-entity');
    await page.getByRole('button', { name: 'Update Entity' }).click();
    await expect.poll(() => outboxBadge(page).getAttribute('aria-label')).toMatch(/^Outbox, 3 edits wait/);

    server = await startServer(app.env);
    await drained(page);
    await page.goto(`${server.url}/entities`);
    await row('Zeta Master Fund').waitFor();
    expect(await row('Zeta Master Fund').getByRole('img').count()).toBe(0);
    await looksRight('entities');
    const answer = await app.context.request.get(`${server.url}/api/entities`);
    expect((await answer.json()) as unknown[]).toContainEqual(
      expect.objectContaining({ entity_name: 'Zeta Master Fund', city: 'Zürich', entity_type_id: 1 }),
    );
  }, 180_000);

  test('[PL13] the list of entities is narrowed by chips and by name, in its address', async () => {
    await page.goto(`${server.url}/entities`);
    await page.getByRole('radio', { name: 'Inactive', exact: true }).check({ force: true });
    await expect.poll(() => new URL(page.url()).search).toBe('?active=0');
    await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
    await page.getByLabel('Find entity').fill('zeta');
    await expect.poll(() => page.getByRole('grid', { name: 'Entities' }).getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?name=zeta');
    await page.reload();
    await row('Zeta Master Fund').waitFor();
  });

  test('[PL39] at 1,280 pixels every account of an entity is seen whole, with what can be done about it', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.url}/entities`);
    // the one made above has none
    const links = page.getByRole('grid', { name: 'Entities' }).getByRole('link').filter({ hasNotText: 'Zeta' });
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.flatMap((link) => link.getAttribute('href') ?? []));
    const ofEntities = [...new Set(paths.filter((path) => /^\/entities\/[0-9a-f-]+$/.test(path)))];
    expect(ofEntities.length).toBeGreaterThan(3);
    const accounts = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Custodian' }) });
    const lacks: number[] = [];
    for (const path of ofEntities) {
      await page.goto(`${server.url}${path}`);
      await accounts.waitFor();
      lacks.push(await accounts.evaluate((table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0)));
    }
    expect(lacks).toEqual(lacks.map(() => 0));
  });

  test('[PL14] an entity deleted goes at once, and a client only with its name typed, with a network', async () => {
    await page.goto(`${server.url}/entities?name=zeta`);
    await page.getByRole('link', { name: 'Zeta Master Fund' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await looksRight('delete-entity');
    await page.getByRole('button', { name: 'Delete Entity' }).click();
    await page.waitForURL(/\/entities\?client=/);
    await expect.poll(() => row('Zeta Master Fund').count()).toBe(0);
    const there = async () => (await (await app.context.request.get(`${server.url}/api/entities`)).text()).includes('Zeta Master Fund');
    await expect.poll(there, { timeout: 60_000 }).toBe(false);
    await drained(page);

    await page.goto(`${server.url}/clients`);
    await page.getByRole('button', { name: 'Delete Zeta Partners' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Client' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Client Name').fill('Zeta Partner');
    expect(await confirm.isDisabled()).toBe(true);
    await looksRight('delete-client');
    await page.getByLabel('Client Name').fill('Zeta Partners');
    await confirm.click();
    await page.getByText('Client successfully deleted').waitFor();
    await expect.poll(() => row('Zeta Partners').count(), { timeout: 30_000 }).toBe(0);
  }, 120_000);

  test('[PL19] a superuser makes, changes and deletes an organization in its screen; whoever has one alone has no entry for it', async () => {
    await page.goto(`${server.url}/home`);
    await page.getByRole('link', { name: 'Clients', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Organizations', exact: true }).count()).toBe(0);
    await signOut(page);
    const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
    if (!superuser) throw new Error('The demo has no superuser');
    await signIn(page, server.url, superuser);
    await page.getByRole('link', { name: 'Organizations', exact: true }).click();
    await page.getByRole('button', { name: 'Create Organization' }).click();
    await page.getByLabel('Name').fill('Orchard Street Partners');
    await looksRight('organization-dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Organization' }).click();
    await page.getByText('Organization successfully created').waitFor();
    await looksRight('organizations');
    await page.getByRole('button', { name: 'Update Orchard Street Partners' }).click();
    await page.getByLabel('Name').fill('Orchard Street LLP');
    await page.getByRole('dialog').getByRole('button', { name: 'Update Organization' }).click();
    await page.getByText('Organization successfully updated').waitFor();
    await page.getByRole('button', { name: 'Delete Orchard Street LLP' }).click();
    await looksRight('delete-organization');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Organization' }).click();
    await page.getByText('Organization successfully deleted').waitFor();
    expect(await row('Orchard Street').count()).toBe(0);
  }, 120_000);

  test('[PL15] an auditor sees the same and is offered no change', async () => {
    await page.goto(`${server.url}/home`);
    await signOut(page);
    const auditor = demoUsers.find(({ roleId }) => roleId === 'auditor');
    if (!auditor) throw new Error('The demo has no auditor');
    await signIn(page, server.url, auditor);
    await synced(page);
    await page.goto(`${server.url}/clients`);
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    expect(await page.getByRole('button', { name: /^Create Client$|^(Update|Delete) / }).count()).toBe(0);
    await page.goto(`${server.url}/entities`);
    await page.getByRole('grid', { name: 'Entities' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create Entity' }).count()).toBe(0);
    await page.getByRole('grid', { name: 'Entities' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Transactions', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Update|Delete)$/ }).count()).toBe(0);
    await page.goto(`${server.url}/entities/new`);
    await page.getByText('Permission denied, you are not allowed to access /entities').first().waitFor();
  }, 120_000);
});
