import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { demoUsers } from '#server/seed/demo.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { signIn, signOut, synced } from '#tests/support/e2e.ts';
import { heldDrafts, heldEdits } from '#tests/support/held-rows.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { drained } from '#tests/support/outbox-badge.ts';

// What a form makes, and which row it is about.

let app: DemoApp;
let page: Page;
let url: string;

beforeAll(async () => {
  app = await openDemo('row-forms');
  ({ page } = app);
  ({ url } = app.server);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signOut(page);
  const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser);
  if (!superuser) throw new Error('The demo has no superuser');
  await signIn(page, url, superuser);
  await synced(page);
});
afterAll(() => app?.close());

const [northlight, harbor, calder] = (['Northlight Fund Services', 'Harbor Ledger Advisory', 'Calder & Wynn Family Office'] as const).map(
  demoIdOf.organization,
);
const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true, includeHidden: true });

/** Opens two rows of a list, one after the other, and does something on the page of the second before going straight to the first. */
async function fromSecondToFirst(
  list: string,
  [first, second]: readonly [string, string],
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await page.goto(`${url}${list}`);
  await page.getByRole('link', { name: first, exact: true }).click();
  await title(first).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).locator(`a[href^="${list}"]`).click();
  await page.getByRole('link', { name: second, exact: true }).click();
  await title(second).waitFor();
  await meanwhile();
  await page.evaluate(() => history.go(-2));
  await title(first).waitFor();
}

/** Chooses something in the search over everything. */
async function goBy(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}

describe('the page of a row', () => {
  test('[PL41] a form that is open on the page of one entity is closed on that of the next', async () => {
    const [first, second] = ['Meridian Master Fund LP', 'Aurora Market Making LLC'] as const;
    await page.goto(`${url}/entities/${demoIdOf.entity(first)}`);
    await title(first).waitFor();
    await goBy(second);
    await title(second).waitFor();
    await button('Update').click();
    await dialog().getByLabel('Entity Name').waitFor();
    await page.evaluate(() => history.back());
    await title(first).waitFor();
    await expect.poll(() => dialog().count()).toBe(0);
  });

  test('[PL42] what is typed in the settings of one organization is not in those of the next, and is kept for the one', async () => {
    const [first, second] = ['Harbor Ledger Advisory', 'Northlight Fund Services'] as const;
    const name = page.getByLabel('Name', { exact: true });
    await fromSecondToFirst('/organizations', [first, second], () => name.fill('Half a name'));
    await expect.poll(() => name.inputValue()).toBe(first);
    await page.evaluate(() => history.go(2));
    await title(second).waitFor();
    await expect.poll(() => name.inputValue()).toBe('Half a name');
    await button('Start anew').click();
    await expect.poll(() => heldDrafts(page)).toEqual([]);
  });

  test('[US38] a role that is chosen for one person and not saved is not chosen for the next', async () => {
    const role = page.getByLabel('Role in Harbor Ledger Advisory');
    await fromSecondToFirst('/users', ['accountant@tieout.example', 'auditor@tieout.example'], async () => {
      await role.selectOption({ label: 'Reporter' });
      await button('Save role').waitFor();
    });
    await expect.poll(() => role.inputValue()).toBe('accountant');
    expect(await button('Save role').count()).toBe(0);
  });
});

test('[PL43] a double click makes one entity', async () => {
  await page.goto(`${url}/entities/new`);
  await page.getByLabel('Entity Name').fill('Once Fund LP');
  await button('Create Entity').dblclick();
  await title('Once Fund LP').waitFor();
  const made = async (): Promise<number> =>
    (await heldEdits(page)).receipts.filter((receipt) => receipt.title === 'Create entity: Once Fund LP').length;
  // the badge may still say of a moment before the clicks that nothing waits
  await expect.poll(made, { timeout: 60_000 }).toBe(1);
  await drained(page);
  expect(await made()).toBe(1);
});

describe('a new client', () => {
  const organization = () => dialog().getByLabel('Organization ID');
  const name = () => dialog().getByLabel('Client Name');
  const begin = async (narrowedTo?: string): Promise<void> => {
    await page.goto(`${url}/clients${narrowedTo === undefined ? '' : `?organizationId=${narrowedTo}`}`);
    await button('Create Client').click();
    await name().waitFor();
  };
  const again = () => page.getByText(/^What you had typed on/);
  const kept = async (): Promise<unknown[]> =>
    (await heldDrafts(page)).filter(({ form_key: key }) => key.startsWith('client:')).map(({ fields }) => fields);

  test('[PL40] begins in the organization the screen is narrowed to, and in none where it is not, which is refused in words', async () => {
    await begin(northlight);
    expect(await organization().inputValue()).toBe(northlight);
    await page.keyboard.press('Escape');
    await goBy('Create Client');
    await name().waitFor();
    expect(await organization().inputValue()).toBe(northlight);

    await begin();
    expect(await organization().inputValue()).toBe('');
    await name().fill('Larch Partners');
    await dialog().getByRole('button', { name: 'Create Client' }).click();
    await dialog().getByRole('alert').filter({ hasText: 'Organization ID is required' }).waitFor();
    await looksRightIn({ context: app.context, page }, 'client-of-no-organization');
    await organization().selectOption(calder ?? '');
    await dialog().getByRole('button', { name: 'Create Client' }).click();
    await page.getByRole('log').getByText('Client successfully created').waitFor();
    await drained(page);
    await page.goto(`${url}/clients?organizationId=${calder}`);
    await page.getByRole('link', { name: 'Larch Partners' }).waitFor();
  });

  test('[DR25] that was begun in one organization is not gone on with in another, and what was chosen stays', async () => {
    await begin(northlight);
    await name().fill('Half a client');
    await expect.poll(kept).toEqual([{ client_name: 'Half a client' }]);
    for (const other of [harbor, undefined]) {
      await begin(other);
      expect([await name().inputValue(), await organization().inputValue(), await again().count()]).toEqual(['', other ?? '', 0]);
    }
    await begin(northlight);
    await again().waitFor();
    expect([await name().inputValue(), await organization().inputValue()]).toEqual(['Half a client', northlight]);
    await organization().selectOption(harbor ?? '');
    await expect.poll(kept).toEqual([{ client_name: 'Half a client', organization_id: harbor }]);
    await begin(northlight);
    await again().waitFor();
    expect([await name().inputValue(), await organization().inputValue()]).toEqual(['Half a client', harbor]);
    await page.keyboard.press('Escape');
    await expect.poll(kept).toEqual([]);
  });
});
