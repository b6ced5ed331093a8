import { sql } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPglite } from '#server/database/open.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { seriousFaultsOf } from '#tests/support/axe.ts';
import {
  aFolder,
  freePort,
  offline,
  openBrowser,
  type RunningServer,
  rowCount,
  rowsWritten,
  signIn,
  signOut,
  startServer,
  synced,
} from '#tests/support/e2e.ts';
import { drained } from '#tests/support/outbox-badge.ts';

// The main flow in a real browser against the real server, in order: each step goes on where the one before it ended.

const data = aFolder('e2e-data');
const profile = aFolder('e2e-profile');
let server: RunningServer;
let env: Record<string, string>;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  env = { DATA_DIR: data.path, PORT: String(await freePort()), DEMO_TRANSACTIONS: '4000' };
  server = await startServer(env);
  ({ context, page } = await openBrowser(profile.path));
});
afterAll(async () => {
  await context?.close();
  await server?.stop('SIGKILL');
  data.remove();
  profile.remove();
});

/** The busiest entity of the demo, over all dates. */
async function openTransactions(more = ''): Promise<void> {
  await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all${more}`);
  await page.getByRole('grid').waitFor();
}

const pendingWithdrawal = () => page.getByRole('row').filter({ hasText: 'Pending' }).filter({ hasText: 'Withdrawal' }).first();

/** The sign in the top bar that an edit waits. */
const badge = () => page.getByRole('banner').getByRole('link', { name: /1 edit/ });

/** Rows whose mark says something. */
/** What needs the person leads to its edit. */
const rowsMarked = (words: RegExp) => page.getByRole('link', { name: words }).count();

const anOldStatement = `OFXHEADER:100

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>POS<DTPOSTED>20090401122017.000[-5:EST]<TRNAMT>-6.60<FITID>1<NAME>BOOKS</STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20090402<TRNAMT>100.25<FITID>2<NAME>REFUND</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

async function reopenBrowser(): Promise<void> {
  await context.close();
  ({ context, page } = await openBrowser(profile.path));
}

describe('first light', () => {
  test('[E1] a wrong password is refused in words, the right one opens the app', async () => {
    await page.goto(server.url);
    await page.waitForURL('**/login');
    await page.getByLabel('Email').fill('accountant@tieout.example');
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'Invalid credentials' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('accountant@tieout.example');
    await signIn(page, server.url);
    await synced(page);
  });

  test('[E2] the grid fills from the replica, filters, sorts in three states and sums', async () => {
    await openTransactions();
    await synced(page);
    await expect.poll(() => rowCount(page)).toBeGreaterThan(200);
    const all = await rowCount(page);
    const header = page.getByRole('columnheader', { name: /USD value/ });
    const sort = header.getByRole('button').first();
    const states: (string | null)[] = [];
    for (let clicks = 0; clicks < 3; clicks += 1) {
      const before = await header.getAttribute('aria-sort');
      await sort.click();
      await expect.poll(() => header.getAttribute('aria-sort')).not.toBe(before);
      states.push(await header.getAttribute('aria-sort'));
    }
    expect(states).toEqual(['ascending', 'descending', 'none']);
    await page.keyboard.press('/');
    await page.keyboard.type('0x');
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    expect(await rowCount(page)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Clear' }).first().click();
    await expect.poll(() => rowCount(page)).not.toBe(0);
  });

  test('[E3] the app is installable and keeps no answer of the API outside the replica', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    const cached = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map((request) => request.url)));
      return requests.flat();
    });
    expect(cached.length).toBeGreaterThan(5);
    expect(cached.filter((url) => url.includes('/api/'))).toEqual([]);
  });

  test('[E4] with the server stopped the app opens at any route, and rows, filters and sorts are there', async () => {
    const before = await (async () => {
      await openTransactions();
      await expect.poll(() => rowCount(page)).toBeGreaterThan(200);
      return rowCount(page);
    })();
    expect(await server.stop('SIGTERM')).toBe(0);
    await page.reload();
    await expect.poll(() => rowCount(page)).toBe(before);
    await offline(page);
    await reopenBrowser();
    await openTransactions();
    await expect.poll(() => rowCount(page)).toBe(before);
    await page.keyboard.press('/');
    await page.keyboard.type('0x');
    await expect.poll(() => rowCount(page)).toBeLessThan(before);
    for (const route of ['/home', '/settings', '/oauth/callback']) {
      await page.goto(`${server.url}${route}`);
      await page.getByRole('heading').first().waitFor();
    }
  });

  test('[E5] a transfer marked offline shows at once, survives closing the browser, and is stored once the server is back', async () => {
    await openTransactions();
    const pending = page.getByRole('row').filter({ hasText: 'Pending' }).filter({ hasText: 'Withdrawal' }).first();
    await pending.waitFor();
    await pending.click();
    await page.keyboard.press('t');
    await badge().waitFor();
    await page
      .getByRole('img', { name: /waiting for the network|no answer yet/ })
      .first()
      .waitFor();
    await reopenBrowser();
    await page.goto(`${server.url}/home`);
    await badge().waitFor();
    server = await startServer(env);
    await synced(page);
    await expect.poll(() => badge().count(), { timeout: 30_000 }).toBe(0);
    const answer = await page.evaluate(async () => {
      const entities = (await (await fetch('/api/entities')).json()) as { id: string }[];
      const lists = await Promise.all(
        entities.map(
          async ({ id }) =>
            (await (await fetch(`/api/transaction_matches?entity_id=${id}&limit=5000`)).json()) as {
              source: string;
              state: string;
              version: number;
            }[],
        ),
      );
      return lists.flat().filter((match) => match.source === 'manual' && match.state === 'APPROVED' && match.version === 2).length;
    });
    expect(answer).toBe(1);
  });

  test('[E9] two tabs share one worker, and an edit in one shows in the other', async () => {
    await openTransactions('&type=2');
    const other = await context.newPage();
    await other.goto(page.url());
    const marked = other.getByRole('row').filter({ hasText: 'Not a transfer' });
    await other
      .getByRole('row')
      .filter({ hasText: /\d\d:\d\d/ })
      .first()
      .waitFor();
    await rowsWritten(other);
    const before = await marked.count();
    await pendingWithdrawal().click();
    await page.keyboard.press('u');
    await page.getByText(/rows? marked as not a transfer/).waitFor();
    await expect.poll(() => marked.count(), { timeout: 20_000 }).toBe(before + 1);
    await other.close();
    // the next one stops the server
    await drained(page);
  });

  test('[M14] a pair that was said to be none by mistake is marked as one again from its row, and nothing is left marked alone', async () => {
    await openTransactions('&type=2');
    await pendingWithdrawal().click();
    await page.keyboard.press('Enter');
    const match = page.getByRole('region', { name: 'Match', exact: true });
    await match.getByRole('button', { name: 'Not a transfer' }).click();
    await drained(page);
    await match.getByText('By hand').waitFor();
    await match.getByRole('button', { name: 'Mark transfer with this row' }).press('Enter');
    await expect.poll(() => match.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(/^Transfer\n/)]);
    // its button went with what it was for
    expect(await match.evaluate((element) => element === document.activeElement)).toBe(true);
    await drained(page);
    await expect.poll(() => match.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(/^Transfer\nBy hand/)]);
  });

  test('[E6] a refused edit stays with its reason until the person lets it go', async () => {
    // what was done before has reached the server
    await expect.poll(() => badge().count()).toBe(0);
    await server.stop();
    await openTransactions('&type=2');
    await pendingWithdrawal().click();
    await page.keyboard.press('t');
    await badge().waitFor();
    // meanwhile the other leg turns out to be a withdrawal, too
    const database = await openPglite(data.path);
    await database.db.execute(sql`update transactions set trx_type_id = 2 where trx_type_id = 1 and match_state = 'PENDING'`);
    await database.close();
    server = await startServer(env);
    await expect.poll(() => rowsMarked(/The other row was changed since/), { timeout: 60_000 }).toBeGreaterThan(0);
    await page.reload();
    await badge().click();
    await page
      .getByText(/The other row was changed since: look at both, and decide again/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Discard: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard this edit' }).click();
    await expect.poll(() => badge().count()).toBe(0);
  });

  test('[E7] a file imported into an account reaches the grid, also where its dates are long past', async () => {
    const entity = demoIdOf.entity('Meridian Master Fund LP');
    await page.goto(`${server.url}/entities/${entity}`);
    await page.getByRole('button', { name: /Import file into JPMorgan/ }).click();
    const file = { name: 'old.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(anOldStatement) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: /Show in transactions/ }).click();
    await page.getByRole('row').filter({ hasText: '04/01/2009' }).first().waitFor();
    expect(await rowCount(page)).toBe(2);
  });

  test('[E8] no serious fault of accessibility on any screen, in both themes', async () => {
    const entity = demoIdOf.entity('Meridian Master Fund LP');
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => localStorage.setItem('theme', name), theme);
      for (const path of ['/home', `/entities/${entity}`, `/transactions?entity=${entity}&dates=all`, '/settings', '/outbox', '/nowhere']) {
        await page.goto(server.url + path);
        await page.getByRole('heading').or(page.getByRole('gridcell')).first().waitFor();
        expect([theme, path, await seriousFaultsOf(context, page)]).toEqual([theme, path, []]);
      }
    }
    await page.evaluate(() => localStorage.setItem('theme', 'light'));
  });

  test('[E10] signing out removes the copy from this browser and ends the session', async () => {
    await page.goto(`${server.url}/home`);
    await synced(page);
    await signOut(page);
    await expect
      .poll(() =>
        page.evaluate(async () =>
          (await indexedDB.databases()).map((database) => database.name ?? '').filter((name) => name.startsWith('tieout-replica')),
        ),
      )
      .toEqual([]);
    await expect.poll(() => page.evaluate(async () => (await fetch('/api/users/me')).status)).toBe(401);
    await page.goto(`${server.url}/transactions`);
    await page.waitForURL('**/login**');
  });
});
