import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { type RunningServer, signIn, signOut, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained, outboxBadge } from '#tests/support/outbox-badge.ts';

let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('users');
  ({ server, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

const person = (isOne: (user: (typeof demoUsers)[number]) => boolean) => {
  const found = demoUsers.find(isOne);
  if (!found) throw new Error('The demo lacks somebody');
  return found;
};

async function leave(): Promise<void> {
  await page.goto(`${server.url}/home`);
  await signOut(page);
}

async function become(user: (typeof demoUsers)[number]): Promise<void> {
  await leave();
  await signIn(page, server.url, user);
  await synced(page);
}

/** From the sign-in page. */
async function enterAsSuperuser(): Promise<void> {
  await signIn(
    page,
    server.url,
    person(({ is_superuser: isSuperuser }) => isSuperuser),
  );
  await synced(page);
}

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const item = (name: RegExp) => page.getByRole('treeitem', { name });
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('users', () => {
  test('[US32] an auditor sees users and roles and is offered no change', async () => {
    await become(person(({ roleId }) => roleId === 'auditor'));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('grid', { name: 'Users' }).waitFor();
    await row('accountant@').waitFor();
    expect(await page.getByRole('button', { name: 'Invite User' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Roles and permissions' }).click();
    await page.getByRole('row', { name: /^Credential/ }).waitFor();
    await looksRight('roles');
    await page.goto(`${server.url}/users`);
    await page.getByRole('link', { name: 'accountant@tieout.example' }).click();
    await item(/^Meridian/).waitFor();
    expect(await item(/^Meridian/).getAttribute('aria-checked')).toBe('true');
    expect(await item(/^Meridian/).getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('button', { name: /^(Update|Disable|New sign-in link)$/ }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: /^Role in/ }).count()).toBe(0);
  }, 120_000);

  test('[US30] an administrator invites somebody, who chooses a password with the link and finds what was assigned', async () => {
    await become(person(({ is_superuser: isSuperuser }) => isSuperuser));
    await page.goto(`${server.url}/users`);
    await page.getByRole('grid', { name: 'Users' }).waitFor();
    await looksRight('users');
    await page.getByRole('button', { name: 'Invite User' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('nobody');
    await dialog.getByRole('button', { name: 'Invite User' }).click();
    await dialog.getByText('Enter a valid email address').waitFor();
    await looksRight('invite-user');
    await dialog.getByLabel('Email').fill('New.Person@Tieout.example');
    await dialog.getByLabel('Name').fill('Nika Person');
    await dialog.getByLabel('Organization').selectOption({ label: 'Harbor Ledger Advisory' });
    await dialog.getByLabel('Role').selectOption({ label: 'Accountant' });
    await dialog.getByRole('button', { name: 'Invite User' }).click();
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    expect(link).toMatch(/\/login\/invitation#[\w-]{43}$/);
    await synced(page);
    await looksRight('sign-in-link');
    await page.getByRole('button', { name: 'Done' }).click();
    await row('new.person@tieout.example').getByText('Invited').waitFor();

    await page.getByLabel('Find by email').fill('NEW.PERSON');
    await expect.poll(() => new URL(page.url()).search).toBe('?email=NEW.PERSON');
    await page.getByRole('link', { name: 'new.person@tieout.example' }).click();
    await item(/^Hawthorne/).click();
    await page.getByRole('button', { name: 'Save assignments' }).click();
    await page.getByText('Assignments successfully changed').waitFor();
    await drained(page);

    // whoever is signed in is not mixed up with who was invited
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('Sign out first, then open the link again').waitFor();
    await leave();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByText('A password has at least 12 characters').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('new.person@tieout.example');
    expect(page.url()).toBe(`${server.url}/login/invitation`);
    await looksRight('invitation');
    await page.getByLabel('New password').fill('a good long password');
    await page.getByLabel('The same again').fill('a good long password');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.waitForURL('**/home');
    await synced(page);
    await page.goto(`${server.url}/clients`);
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    expect(await page.getByRole('grid', { name: 'Clients' }).getByRole('link').allInnerTexts()).toEqual(['Hawthorne Family Office']);
    await leave();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This link is no longer good').waitFor();
    expect(server.output()).not.toContain(link.split('#')[1]);
    await looksRight('invitation-used');
  }, 180_000);

  test('[US37] a role that was chosen before somebody else changed the person waits for a decision', async () => {
    await enterAsSuperuser();
    const { email } = person(({ roleId }) => roleId === 'accountant');
    await page.goto(`${server.url}/users?email=${email.split('@')[0]}`);
    await page.getByRole('link', { name: email }).click();
    const role = page.getByLabel('Role in Harbor Ledger Advisory');
    await role.selectOption({ label: 'Reporter' });
    const users: { id: string; email: string; memberships: { organization_id: string }[] }[] = await (
      await page.request.get(`${server.url}/api/users`)
    ).json();
    const user = users.find((each) => each.email === email)!;
    const changed = await page.request.put(`${server.url}/api/users/${user.id}/organizations/${user.memberships[0]!.organization_id}`, {
      data: { role_id: 'auditor' },
    });
    expect(changed.status()).toBe(200);
    const other = await app.context.newPage();
    await other.goto(`${server.url}/users?email=${email.split('@')[0]}`);
    await other.getByRole('row').filter({ hasText: email }).filter({ hasText: 'Auditor' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Save role' }).click();
    await expect.poll(() => outboxBadge(page).getAttribute('aria-label')).toMatch(/1 for you/);
    await page.goto(`${server.url}/outbox`);
    await page.getByRole('button', { name: /^Take theirs/ }).click();
    await drained(page);
    await leave();
  }, 180_000);

  test('[DR26] what was ticked in the tree of what is assigned is there again when the page is read anew; once undone nothing is', async () => {
    await enterAsSuperuser();
    await page.goto(`${server.url}/users?email=auditor`);
    await page.getByRole('link', { name: 'auditor@tieout.example' }).click();
    const meridian = item(/^Meridian Digital/);
    await meridian.click();
    await page.getByText('1 change not saved').waitFor();
    await page.reload();
    await page.getByText('is here again').waitFor();
    await page.getByText('1 change not saved').waitFor();
    await looksRight('ticks-again');
    const kept = await meridian.getAttribute('aria-checked');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByText('is here again').count()).toBe(0);
    expect(await meridian.getAttribute('aria-checked')).not.toBe(kept);
    await page.reload();
    await meridian.waitFor();
    await synced(page);
    expect(await page.getByText(/not saved$/).count()).toBe(0);
    await leave();
  }, 180_000);

  test('[US31] the tree is worked by keys alone, nothing is sent before it is saved, and edits wait without a network', async () => {
    await enterAsSuperuser();
    await page.goto(`${server.url}/users?email=auditor`);
    await page.getByRole('link', { name: 'auditor@tieout.example' }).click();
    await page.getByRole('button', { name: 'Expand all' }).click();
    await item(/^Meridian Master Fund LP/).waitFor();
    await page.getByRole('button', { name: 'Collapse all' }).focus();
    await press('Enter', 'Tab', 'ArrowRight', 'ArrowRight');
    await press('m');
    expect(await item(/^Meridian Digital/).evaluate((element) => element === document.activeElement)).toBe(true);
    await press('ArrowRight', 'ArrowRight', 'Space');
    expect(await item(/^Meridian Digital/).getAttribute('aria-checked')).toBe('mixed');
    await page.getByText(/not saved$/).waitFor();
    await looksRight('user');
    expect(await outboxBadge(page).getAttribute('aria-label')).toBe('Outbox, no edits wait');
    await server.stop();
    await page.getByRole('button', { name: 'Save assignments' }).click();
    await page.getByLabel('Role in Harbor Ledger Advisory').selectOption({ label: 'Reporter' });
    await page.getByRole('button', { name: 'Save role' }).click();
    await expect.poll(() => outboxBadge(page).getAttribute('aria-label')).toMatch(/^Outbox, 2 edits wait/);
    await page.getByRole('button', { name: 'Disable' }).click();
    await looksRight('disable-user');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable User' }).click();
    await page.getByText('Disabled', { exact: false }).first().waitFor();
    await page.goto(`${server.url}/outbox`);
    await page.getByText('Assignments of auditor@tieout.example').first().waitFor();
    await page.goto(`${server.url}/clients`);
    await page.getByRole('button', { name: 'People who see Meridian Digital Assets' }).click();
    await page.getByRole('dialog').getByText('auditor@tieout.example').waitFor();
    await looksRight('client-people');
  }, 180_000);
});
