import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { seriousFaultsOf } from '#tests/support/axe.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { aFolder, openBrowser, signIn, synced } from '#tests/support/e2e.ts';

// One who may read everything and change nothing looks at what another one did.

const auditor = { email: 'auditor@tieout.example', password: 'tieout-demo-review-2026' };
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const entity = demoIdOf.entity('Meridian Master Fund LP');
const profile = aFolder('audit-auditor');
let app: DemoApp;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await openDemo('audit');
  ({ context, page } = await openBrowser(profile.path));
  await signIn(page, app.server.url, auditor);
  await synced(page);
});
// one test that fails leaves no other without a network
afterEach(() => context?.setOffline(false));
afterAll(async () => {
  await context?.close();
  await app?.close();
  profile.remove();
});

const open = (search = '') => page.goto(`${app.server.url}/audit${search}`);
const changes = () => page.getByRole('row').filter({ has: page.getByRole('button') });
const opener = (name: RegExp) => page.getByRole('button', { name });

/** Decides the first matches of the entity through the API, as the accountant: no and yes, so many times. */
async function decide(count: number, rounds = 1): Promise<void> {
  const statuses = await app.page.evaluate(
    async ({ entityId, most, times }) => {
      type Match = { out_trx_id: string; in_trx_id: string };
      const list = (await (await fetch(`/api/transaction_matches?entity_id=${entityId}&limit=${most}`)).json()) as Match[];
      const mark = ({ out_trx_id, in_trx_id }: Match, is_transfer: boolean) =>
        fetch('/api/transaction_matches/transfer', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ trx_id: out_trx_id, counterpart_id: in_trx_id, is_transfer }),
        });
      const answers: number[] = [];
      const decisions = Array.from({ length: times }, () => [false, true]).flat();
      for (const is of decisions) for (const match of list) answers.push((await mark(match, is)).status);
      return answers;
    },
    { entityId: entity, most: count, times: rounds },
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
}

async function tabTo(target: Locator): Promise<void> {
  for (let stops = 0; stops < 160; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${String(target)}`);
}

describe('the audit trail on the screen', () => {
  test('[AU30] what one person changed another one reads, with who, what, where and both sides, by keys alone', async () => {
    await open();
    await page.getByRole('heading', { name: 'Nothing was changed yet' }).waitFor();
    await decide(1);
    await tabTo(page.getByRole('button', { name: 'Refresh' }));
    await page.keyboard.press('Enter');
    await opener(/^Changed match/)
      .first()
      .waitFor();
    const text = await changes()
      .filter({ hasText: /Changed match/ })
      .first()
      .innerText();
    expect(text).toContain('accountant@tieout.example');
    expect(text).toMatch(/\d\d\/\d\d\/\d{4} \d\d:\d\d/);
    expect(text).toContain('Meridian Master Fund LP, Meridian Digital Assets');
    expect(text).toMatch(/State\s+was\s+Not a transfer[^]*is now\s+Transfer/);

    await tabTo(opener(/^Changed match/).first());
    await page.keyboard.press('Enter');
    const fields = page.getByRole('table', { name: /^Fields: Changed match/ });
    expect(await fields.getByRole('row').filter({ hasText: 'State' }).innerText()).toMatch(/State\s+Not a transfer\s+Transfer/);
    await tabTo(page.getByRole('button', { name: 'Everything about this row' }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/noun=transaction_matches&row=/);
    // the address says it before the list does
    const others = opener(/^(Created|Changed) (?!match)/);
    await expect.poll(() => others.count()).toBe(0);
    await page.getByText(/^That is all: \d change/).waitFor();
    expect(await others.count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });

  test('[AU31] the filter is in the address, and the file is exactly what it finds, beyond what is loaded', async () => {
    await decide(20, 2);
    await open('?noun=transactions');
    await page
      .getByText('The newest 100 changes')
      .or(page.getByText(/^That is all/))
      .waitFor();
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    const exported = async (): Promise<string[][]> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      return parse(readFileSync(await (await download).path(), 'utf8'), { bom: true }) as string[][];
    };
    // it is said for five seconds
    const told = page.getByText(/changes exported to audit-trail-all-dates\.csv/).waitFor();
    const all = await exported();
    const found = await page.evaluate(async () => {
      const pages: { id: string }[][] = [];
      do {
        const before = pages.at(-1)?.at(-1)?.id;
        pages.push(
          (await (await fetch(`/api/audit?noun=transactions&limit=500${before ? `&before=${before}` : ''}`)).json()) as { id: string }[],
        );
      } while (pages.at(-1)?.length === 500);
      return pages.flat().map(({ id }) => id);
    });
    expect(all.slice(1).map((row) => row.at(-1))).toEqual(found);
    expect(found.length).toBeGreaterThan(100);
    await told;

    await page.getByLabel('Action', { exact: true }).selectOption('delete');
    await page.getByRole('heading', { name: 'No change fits the filters' }).waitFor();
    expect(new URL(page.url()).search).toBe('?noun=transactions&action=delete');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Who', { exact: true }).selectOption({ label: 'accountant@tieout.example' });
    await page.waitForURL(/who=/);
    await page.getByLabel(/^First day/).fill('2020-01-01');
    await page.getByLabel(/^Last day/).fill('2020-01-31');
    await page.getByRole('heading', { name: 'No change fits the filters' }).waitFor();
  });

  test('[AU32] more is loaded to the end without a hole, and the keyboard stays', async () => {
    await decide(20, 1);
    await open();
    await page.getByText('The newest 100 changes').waitFor();
    for (;;) {
      const more = page.getByRole('button', { name: 'Load more' });
      if ((await more.count()) === 0) break;
      const before = await changes().count();
      await more.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => changes().count()).toBeGreaterThan(before);
    }
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
    const there = await page.evaluate(async () => ((await (await fetch('/api/audit?limit=500')).json()) as unknown[]).length);
    expect(await changes().count()).toBe(there);
  });

  test('[AU33] without the network it says that it needs it; what is shown stays; what goes wrong is told', async () => {
    await open();
    await changes().first().waitFor();
    await context.setOffline(true);
    await page.getByText(/There is no network: this is how it was at \d\d:\d\d UTC/).waitFor();
    expect(await changes().count()).toBeGreaterThan(0);
    await page.getByLabel('Action', { exact: true }).selectOption('create');
    await page.getByRole('heading', { name: 'The audit trail needs the network' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'The audit trail needs the network' }).waitFor({ state: 'detached' });
    await page.route('**/api/audit?**', (route) => route.fulfill({ status: 500, json: { detail: 'Internal error' } }));
    await open('?action=update');
    await page.getByRole('heading', { name: 'The audit trail could not be read' }).waitFor();
    expect(await seriousFaultsOf(context, page)).toEqual([]);
    await page.unroute('**/api/audit?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await changes().first().waitFor();
  });

  test('[AU34] no serious fault of accessibility, wide and narrow, light and dark, and nothing scrolls sideways', async () => {
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      for (const theme of ['light', 'dark']) {
        await page.evaluate((name) => localStorage.setItem('theme', name), theme);
        await open(`?entity=${entity}&noun=transaction_matches`);
        await opener(/^Changed match/)
          .first()
          .click();
        await page.getByRole('table', { name: /^Fields: / }).waitFor();
        if (size === 'narrow') await page.getByRole('button', { name: /^Filters/ }).click();
        await page.getByRole('button', { name: /^Remove filter: Entity/ }).waitFor();
        expect([size, theme, await seriousFaultsOf(context, page)]).toEqual([size, theme, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
        await open('?noun=roles');
        await page.getByRole('heading', { name: 'No change fits the filters' }).waitFor();
        expect([size, theme, await seriousFaultsOf(context, page)]).toEqual([size, theme, []]);
      }
    }
    await page.setViewportSize(sizes.wide);
  });

  test('[AU35] whoever may not read it has no way to it', async () => {
    await page.route('**/api/users/me', (route) => route.abort());
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { permissions: Record<string, boolean> };
      localStorage.setItem('user', JSON.stringify({ ...user, permissions: { ...user.permissions, audit_read: false } }));
    });
    await open();
    await page.getByRole('heading', { name: 'You are not allowed to see this' }).waitFor();
    await page.goto(`${app.server.url}/home`);
    await page.getByRole('link', { name: 'Home' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
  });
});
