import { readFileSync } from 'node:fs';
import { type SQL, sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MutationState } from '#replica/mutation-states.ts';
import { openPglite } from '#server/database/open.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { faultsOf } from '#tests/support/axe.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, type RunningServer, rowCount, signIn, startServer, synced } from '#tests/support/e2e.ts';
import { drained } from '#tests/support/outbox-badge.ts';
import { plantEdits, plantEditsOf, takeTheLead } from '#tests/support/planted-edits.ts';

// The outbox screen by keys alone, each step going on where the one before it ended.

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const place = `/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all&match=PENDING`;
let app: DemoApp;
let server: RunningServer;
let page: Page;

beforeAll(async () => {
  app = await openDemo('outbox');
  ({ server, page } = app);
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const waiting = () => page.getByRole('region', { name: /^Waiting/ }).getByRole('listitem');
const settled = () => page.getByRole('region', { name: 'Settled' }).getByRole('listitem');
const badge = () => page.getByRole('banner').getByRole('link', { name: /^Outbox/ });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const isFocusOnPage = () => page.evaluate(() => document.activeElement === document.body);
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
const nothingWaits = () => page.getByText('Nothing waits: everything you did has reached the server');

/** Most stops of the Tab key on the screen. */
const mostStops = 120;

/** Goes to something by the Tab key alone. */
async function tabTo(target: Locator): Promise<void> {
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await press('Tab');
  }
  throw new Error(`The Tab key does not reach ${String(target)}`);
}

async function openTransactions(): Promise<void> {
  await page.goto(server.url + place);
  await page
    .getByRole('row')
    .filter({ hasText: /\d\d:\d\d/ })
    .first()
    .waitFor();
}

async function saveView(name: string): Promise<void> {
  await press('v');
  await dialog('Saved views').waitFor();
  await tabTo(page.getByRole('button', { name: /^Save as/ }));
  await press('Enter');
  await page.getByRole('form', { name: 'Save view' }).waitFor();
  await page.keyboard.type(name);
  await press('Enter');
  await expect.poll(() => page.getByRole('form').count()).toBe(0);
}

/** Something is done on another device, while this one cannot reach the server. */
async function elsewhere(what: SQL): Promise<void> {
  const database = await openPglite(app.env.DATA_DIR ?? '');
  await database.db.execute(what);
  await database.close();
}

/** The views at the server, as the person who is signed in has them. */
const viewsThere = () => page.evaluate(async () => (await (await fetch('/api/saved_views')).json()) as { name: string; search: string }[]);

async function openFromBadge(count: number): Promise<void> {
  await expect.poll(() => badge().getAttribute('aria-label')).toMatch(new RegExp(`^Outbox, ${count} edits? wait`));
  await tabTo(badge());
  await press('Enter');
  await page.getByRole('heading', { name: 'Outbox' }).waitFor();
}

describe('the outbox screen', () => {
  test('[OS11] edits made offline are told in words, one is discarded, the others settle once the server is back', async () => {
    await openTransactions();
    await server.stop();
    await page.locator('[data-row="0"] [data-column="1"]').focus();
    for (const left of [1, 2]) {
      const rows = await rowCount(page);
      await press('t');
      // the next key is for the row that comes into its place
      await expect.poll(() => rowCount(page)).toBeLessThan(rows);
      await expect.poll(() => badge().getAttribute('aria-label')).toMatch(new RegExp(`${left} edits? wait`));
    }
    await saveView('Quarter end');
    await openFromBadge(3);
    await expect.poll(() => waiting().count()).toBe(3);
    const texts = await waiting().allInnerTexts();
    for (const text of texts.slice(0, 2)) {
      expect(text).toMatch(/^Mark transfer: [\d.]+ \w+ .+, \d\d\/\d\d\/\d{4}/);
      expect(text).toContain('Meridian Master Fund LP, Meridian Digital Assets');
    }
    expect(texts[2]).toMatch(/^Save view: Quarter end/);
    for (const text of texts) {
      expect(text).toMatch(/made \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/);
      expect(text).toMatch(/Waiting to be sent|Waiting for the network|Sent, no answer yet/);
    }
    await page.getByText(/There is no network/).waitFor({ timeout: 30_000 });

    await tabTo(
      waiting()
        .nth(0)
        .getByRole('button', { name: /^Discard/ }),
    );
    await press('Enter');
    await dialog('Discard this edit?')
      .getByText(/gone for good/)
      .waitFor();
    await press('Escape');
    await expect.poll(focused).toMatch(/^Discard: Mark transfer/);
    expect(await waiting().count()).toBe(3);
    await press('Enter');
    await tabTo(dialog('Discard this edit?').getByRole('button', { name: 'Discard this edit' }));
    await press('Enter');
    await expect.poll(() => waiting().count()).toBe(2);
    await expect.poll(focused).toMatch(/^Show details: Mark transfer/);
    await settled().filter({ hasText: 'Discarded by you' }).waitFor();

    server = await startServer(app.env);
    await nothingWaits().waitFor({ timeout: 60_000 });
    expect(await isFocusOnPage()).toBe(false);
    await expect.poll(() => settled().filter({ hasText: 'Accepted' }).count()).toBe(2);
    expect(await settled().first().innerText()).toContain('Accepted');
    await page.getByText(/2 edits settled|1 edit settled/).waitFor({ state: 'attached' });
  });

  test('[OS12] a refused edit shows the reason, and Try again sends it anew', async () => {
    await openTransactions();
    await server.stop();
    await saveView('Month end');
    // meanwhile the name is taken on another device
    await elsewhere(sql`insert into saved_views (user_id, id, list, name, name_key, search, updated_at)
      select id, gen_random_uuid(), 'transactions', 'Month end', 'month end', 'type=1', now() from users where email = ${accountant.email}`);
    await openFromBadge(1);
    server = await startServer(app.env);
    await waiting()
      .getByText(/^Refused: .*already has this name/)
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => badge().getAttribute('aria-label')).toBe('Outbox, 1 edit waits, 1 for you');
    // and free again
    await page.evaluate(async () => {
      const views = (await (await fetch('/api/saved_views')).json()) as { id: string; name: string }[];
      const id = views.find(({ name }) => name === 'Month end')?.id ?? '';
      await fetch(`/api/saved_views/${id}`, { method: 'DELETE', headers: { 'Idempotency-Key': id } });
    });
    await tabTo(waiting().getByRole('button', { name: /^Try again/ }));
    await press('Enter');
    await nothingWaits().waitFor({ timeout: 60_000 });
    await settled().first().filter({ hasText: 'Save view: Month end' }).getByText('Accepted').waitFor();
    expect(await isFocusOnPage()).toBe(false);
  });

  test('[OS17] by keys alone: what somebody else changed is shown beside mine, and kept or let go', async () => {
    await openTransactions();
    await saveView('Shared');
    await expect.poll(async () => (await viewsThere()).some(({ name }) => name === 'Shared')).toBe(true);
    // it is there before it is known here that it is
    await drained(page);
    const rename = async (from: string, to: string): Promise<void> => {
      await openTransactions();
      await server.stop();
      await press('v');
      await dialog('Saved views').getByRole('button', { name: from, exact: true }).focus();
      await press('F2', 'Control+a');
      await page.keyboard.type(to);
      await press('Enter');
      await expect.poll(() => page.getByRole('form').count()).toBe(0);
      await press('Escape');
    };
    const theirs = (from: string, name: string) =>
      elsewhere(
        sql`update saved_views set name = ${name}, name_key = lower(${name}), search = 'type=1', version = version + 1 where name = ${from}`,
      );

    await rename('Shared', 'Mine');
    await theirs('Shared', 'Theirs');
    await openFromBadge(1);
    // it goes again by itself
    const told = page.getByText('Somebody else changed what you edited. Open Outbox').waitFor({ timeout: 90_000 });
    server = await startServer(app.env);
    const edit = waiting().filter({ hasText: 'choose what holds' });
    await edit.waitFor({ timeout: 60_000 });
    await expect.poll(() => badge().getAttribute('aria-label')).toBe('Outbox, 1 edit waits, 1 for you');
    const table = edit.getByRole('table', { name: /^What differs: Rename view: Shared to Mine/ });
    expect(await table.getByRole('row').allInnerTexts()).toEqual([
      'Field\tWhen you edited\tMine\tTheirs',
      'Name\tShared\tMine\tTheirs',
      expect.stringMatching(/^Filter\s+Stays if you keep mine\s+\S.*\tUnchanged\ttype: Deposit$/),
    ]);
    expect(await faultsOf(app.context, page)).toEqual([]);
    await told;
    await tabTo(edit.getByRole('button', { name: /^Keep mine/ }));
    await press('Enter');
    await nothingWaits().waitFor({ timeout: 60_000 });
    expect(await isFocusOnPage()).toBe(false);
    expect((await viewsThere()).filter(({ name }) => name === 'Mine')).toMatchObject([{ search: 'type=1' }]);

    await rename('Mine', 'Mine again');
    await theirs('Mine', 'Theirs again');
    await openFromBadge(1);
    server = await startServer(app.env);
    await edit.waitFor({ timeout: 60_000 });
    await tabTo(edit.getByRole('button', { name: /^Take theirs/ }));
    await press('Enter');
    await nothingWaits().waitFor({ timeout: 60_000 });
    await settled().first().filter({ hasText: 'Let go by you: theirs holds' }).waitFor();
    expect((await viewsThere()).map(({ name }) => name)).toContain('Theirs again');
    // the server is started twice
  }, 240_000);

  test('[OS18] a refused view is given another name where it waits, by keys alone', async () => {
    await openTransactions();
    await server.stop();
    await saveView('Year end');
    await elsewhere(sql`insert into saved_views (user_id, id, list, name, name_key, search, updated_at)
      select id, gen_random_uuid(), 'transactions', 'Year end', 'year end', 'type=1', now() from users where email = ${accountant.email}`);
    await openFromBadge(1);
    server = await startServer(app.env);
    await waiting()
      .getByText(/^Refused: /)
      .waitFor({ timeout: 60_000 });
    await tabTo(waiting().getByRole('button', { name: /^Edit/ }));
    await press('Enter');
    const form = dialog('Edit before it is sent');
    await form.getByLabel('Name of the view').waitFor();
    await press('Enter');
    await form.getByRole('alert').filter({ hasText: 'already has this name' }).waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
    await press('Control+a');
    await page.keyboard.type('Year end, mine');
    await press('Enter');
    await nothingWaits().waitFor({ timeout: 60_000 });
    await expect.poll(isFocusOnPage).toBe(false);
    expect((await viewsThere()).map(({ name }) => name)).toEqual(expect.arrayContaining(['Year end', 'Year end, mine']));
  });

  test('[OS16] the icon of the installed app shows the count of the badge, and nothing once signed out', async () => {
    await page.addInitScript(() => {
      const shown: (number | null)[] = [];
      const show = (count: number | null) => async (): Promise<void> => void shown.push(count);
      Object.assign(window, { shownOnIcon: shown });
      Object.defineProperty(navigator, 'setAppBadge', { value: (count: number) => show(count)() });
      Object.defineProperty(navigator, 'clearAppBadge', { value: show(null) });
    });
    const onIcon = () => page.evaluate(() => (window as unknown as { shownOnIcon: (number | null)[] }).shownOnIcon.at(-1));
    await openTransactions();
    await expect.poll(onIcon).toBe(null);
    await server.stop();
    await saveView('On the train');
    await expect.poll(onIcon).toBe(1);
    await saveView('On the ferry');
    await expect.poll(onIcon).toBe(2);
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await dialog('Sign out').getByRole('button', { name: 'Keep for me' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await expect.poll(onIcon).toBe(null);
    server = await startServer(app.env);
    await signIn(page, server.url);
    await page.goto(`${server.url}/outbox`);
    await nothingWaits().waitFor({ timeout: 60_000 });
    await expect.poll(onIcon).toBe(null);
  });

  test('[OS13] every state is told in words, and none has a fault of accessibility, wide or narrow, light or dark', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // the copy went with the signing out before, and who takes the lead pulls nothing
    await synced(page);
    await takeTheLead(app.context, server.url);
    await plantEdits(page);
    const words: Record<MutationState, RegExp> = {
      queued: /Waiting to be sent/,
      sending: /On its way\n[^]*It cannot be discarded while it is on its way/,
      uncertain: /Sent, no answer yet - it is sent again and counts once/,
      acked: /Accepted, being read back\n[^]*The server has accepted it already/,
      refused: /Refused: Another of your views already has this name/,
      parked: /Set aside: .*\n+Tried 8 times/,
      paused_auth: /Waiting for you to sign in/,
      paused_permission: /You may not do this any more/,
      paused_update: /Waiting for an update - reload to get the newest version of the app/,
      paused_dependency: /It follows an edit that was let go: Mark transfer: 2 ETH/,
      conflict: /Somebody else changed this meanwhile - choose what holds\n[^]*Third quarter/,
    };
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      for (const theme of ['light', 'dark']) {
        await page.evaluate((name) => localStorage.setItem('theme', name), theme);
        await page.goto(`${server.url}/outbox`);
        await expect.poll(() => waiting().count()).toBe(12);
        // the names come from the copy, a moment after the edits
        await waiting().last().getByText('Meridian Master Fund LP').waitFor();
        for (const [index, [state, line]] of Object.entries(words).entries()) {
          const text = await waiting().nth(index).innerText();
          expect(text).toContain(`the ${state} edit`);
          expect(text).toContain('Meridian Master Fund LP');
          expect(text).toMatch(line);
        }
        expect(await waiting().last().innerText()).toContain('Waits for the edit above, which is for you to decide: the refused edit');
        await page.getByText('Another tab or window of this browser sends the edits.').waitFor();
        expect([size, theme, await faultsOf(app.context, page)]).toEqual([size, theme, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      }
    }
  });

  test('[OS14] what opens gives the focus back; edits are saved to a file, and those that need the person discarded at once', async () => {
    await page.setViewportSize(sizes.wide);
    await page.goto(`${server.url}/outbox`);
    await tabTo(
      waiting()
        .nth(4)
        .getByRole('button', { name: /^Show details/ }),
    );
    await press('Enter');
    await dialog('Details of the edit').getByText('Last error').waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
    await press('Escape');
    await expect.poll(focused).toBe('Show details: the refused edit');

    await tabTo(
      waiting()
        .nth(1)
        .getByRole('button', { name: /^Discard/ }),
    );
    await press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.locator('#main').focus();
    await tabTo(page.getByRole('button', { name: 'Save to file' }));
    const download = page.waitForEvent('download');
    await press('Enter');
    const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as { about: string; edits: unknown[] };
    expect([file.about, file.edits.length]).toEqual([expect.stringContaining('not reached the server'), 12]);

    await page.locator('#main').focus();
    const conflict = waiting().filter({ hasText: 'choose what holds' });
    await tabTo(conflict.getByRole('button', { name: /^Choose by field/ }));
    await press('Enter');
    await dialog('Choose by field').getByRole('group', { name: 'Name' }).waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
    await press('Escape');
    await expect.poll(focused).toBe('Choose by field: the conflict edit');
    await press('Enter');
    await tabTo(dialog('Choose by field').getByRole('group', { name: 'Filter' }).getByLabel('Mine'));
    await press('ArrowDown');
    await tabTo(dialog('Choose by field').getByRole('button', { name: 'Send what I chose' }));
    await press('Enter');
    await expect.poll(() => conflict.count()).toBe(0);
    await expect.poll(isFocusOnPage).toBe(false);
    await waiting()
      .filter({ hasText: 'the conflict edit' })
      .getByText(/Waiting to be sent/)
      .waitFor();

    await page.locator('#main').focus();
    await tabTo(page.getByRole('button', { name: 'Discard all that need you' }));
    await press('Enter');
    await dialog('Discard 4 edits?')
      .getByText(/1 of them may have reached the server/)
      .waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
    await tabTo(dialog('Discard 4 edits?').getByRole('button', { name: 'Discard 4 edits' }));
    await press('Enter');
    await expect.poll(() => waiting().count()).toBe(8);
    await expect.poll(isFocusOnPage).toBe(false);
  });

  test('[OS26] the sign of an edit that needs the person leads to it: from a cell, its menu, a key, the details, a card and a table', async () => {
    await page.setViewportSize(sizes.wide);
    const list = `${server.url}/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all`;
    const cell = (row: number, column = 0) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
    const details = page.getByRole('complementary', { name: 'Transaction' });
    const idShown = () =>
      details
        .getByText(/^[\da-f]{8}-[\da-f-]{27}$/)
        .last()
        .innerText();
    await page.goto(list);
    // rows that come meanwhile would lie above
    await synced(page);
    await rowCount(page);
    await cell(0).click();
    const first = await idShown();
    await cell(1).click();
    await expect.poll(idShown).not.toBe(first);
    const second = await idShown();
    const mark = (id: string) => ({ trx_id: id, counterpart_id: null, is_transfer: true });
    const [refused = '', conflict = '', ofClient = ''] = await plantEditsOf(page, [
      { name: 'markTransfer', state: 'refused', input: mark(first), title: 'a refused mark' },
      { name: 'markTransfer', state: 'conflict', input: mark(second), title: 'a mark in conflict' },
      {
        name: 'updateClient',
        state: 'conflict',
        input: { id: demoIdOf.client('Meridian Digital Assets'), client_name: 'Meridian Digital Assets' },
        title: 'a client in conflict',
      },
    ]);
    const isAt = async (id: string): Promise<void> => {
      await page.getByRole('heading', { name: 'Outbox' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-edit'))).toBe(id);
      expect([new URL(page.url()).searchParams.get('edit'), await page.locator('[aria-current="true"][data-edit]').count()]).toEqual([
        id,
        1,
      ]);
    };
    const refusedSign = page.getByRole('link', { name: /^queued .*, refused: .*\. Open the edit in Outbox$/ });
    const conflictSign = page.getByRole('link', { name: /^queued .*, somebody else changed this meanwhile .*\. Choose what holds$/ });
    const look = async (): Promise<void> => {
      await page.goto(list);
      await conflictSign.waitFor();
    };

    await look();
    const signs = async () => [await refusedSign.count(), await conflictSign.count()];
    await expect.poll(signs, { message: `the signs of ${first} and ${second}` }).toEqual([1, 1]);
    await refusedSign.click();
    await isAt(refused);
    // the next stop is what one can do about it
    await press('Tab');
    await expect.poll(focused).toBe('Try again: a refused mark');

    await look();
    await cell(0).focus();
    // Enter opens the row all the same
    await press('Enter');
    await tabTo(details.getByRole('link', { name: 'Open the edit in Outbox' }));
    await press('Enter');
    await isAt(refused);

    await look();
    await cell(1, 2).focus();
    await press('e');
    await isAt(conflict);
    await look();
    await cell(1, 2).focus();
    await press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Choose what holds' }).focus();
    await press('Enter');
    await isAt(conflict);
    await look();
    await cell(3).focus();
    await press('e');
    await page.getByText('No edit of this row waits').waitFor();

    await page.setViewportSize(sizes.narrow);
    await look();
    await conflictSign.click();
    await isAt(conflict);
    expect(await faultsOf(app.context, page)).toEqual([]);
    await page.setViewportSize(sizes.wide);
    await page.goto(`${server.url}/clients`);
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
    // by the key, as in any grid, and by the sign
    await page.getByRole('row').filter({ has: conflictSign }).getByRole('gridcell').first().focus();
    await press('e');
    await isAt(ofClient);
    await page.goto(`${server.url}/clients`);
    await conflictSign.click();
    await isAt(ofClient);
  });

  test('[OS27] an edit one came for that waits no longer is told so, with what became of it where that is known', async () => {
    await page.goto(`${server.url}/outbox?edit=${'0'.repeat(8)}`);
    await page.getByText('The edit you came for waits no longer: it was settled meanwhile.').waitFor();
    expect(await isFocusOnPage()).toBe(false);
    await page.goto(`${server.url}/outbox`);
    const edit = waiting().filter({ hasText: 'a refused mark' });
    const id = (await edit.getAttribute('data-edit')) ?? '';
    await page.goto(`${server.url}/outbox?edit=${id}`);
    await edit.getByRole('button', { name: /^Discard/ }).click();
    await dialog('Discard this edit?').getByRole('button', { name: 'Discard this edit' }).click();
    await expect.poll(() => edit.count()).toBe(0);
    // who saw it settle is not told
    expect(await page.getByText('The edit you came for').count()).toBe(0);
    await page.reload();
    await page.getByText('The edit you came for waits no longer. a refused mark: Discarded by you').waitFor();
    expect(await faultsOf(app.context, page)).toEqual([]);
  });
});
