import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { randomOf } from '#tests/sim/random.ts';
import { rowsShown, rowsWritten, synced } from '#tests/support/e2e.ts';
import { expectDrained, expectOnce, comesToSameRows } from '#tests/support/fault-checks.ts';
import { type FaultBrowser, type FaultScene, openFaultScene } from '#tests/support/fault-scene.ts';
import { callOf } from '#tests/support/held-rows.ts';
import { aWhile, goOffline, goOnline } from '#tests/support/network-faults.ts';
import { effectsAt, markedEntity, markingOf, openRows, queueEdits } from '#tests/support/queued-edits.ts';
import { endSharedWorkersIn, sharedWorkersIn } from '#tests/support/shared-workers.ts';

// Several tabs of one browser, and pages and machines that sleep; each test goes on where the one before it ended.

declare global {
  interface Window {
    /** Transactions of a page that are open. */
    readsUnderWay: number;
  }
}

const sending = /^PUT /;
let scene: FaultScene;
let browser: FaultBrowser;
let place: string;

beforeAll(async () => {
  scene = await openFaultScene('faults-tabs', { template: inject('demoTemplate') });
  browser = await scene.open(scene.profile());
  place = `${scene.url}/transactions?entity=${markedEntity}&dates=all&type=2`;
  await openTab(browser.page);
  await synced(browser.page);
});
afterAll(() => scene?.close());

const badgeOf = (page: Page): Promise<string | null> => page.getByRole('link', { name: /^Outbox, / }).getAttribute('aria-label');
/** What the list shows: every row's text, marks and signs in words included. */
const shownIn = (page: Page): Promise<string[]> =>
  page
    .getByRole('row')
    .filter({ hasText: /\d\d:\d\d/ })
    .allInnerTexts();

async function openTab(page: Page): Promise<Page> {
  await page.goto(place);
  await rowsShown(page);
  return page;
}

/** Marks the n-th row that waits for a decision, and goes back to the top: which row that is changes by the day, and all lists are to be scrolled alike. */
async function markNth(page: Page, nth: number, key: 't' | 'u'): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'Pending' }).nth(nth).locator('[data-column="1"]').focus();
  await page.keyboard.press(key);
  await page.keyboard.press('Control+Home');
}

/** Counts what a page is just reading from its databases. */
function countReads(): void {
  const begin = IDBDatabase.prototype.transaction;
  Object.assign(window, { readsUnderWay: 0 });
  IDBDatabase.prototype.transaction = function (...how) {
    const transaction = begin.apply(this, how);
    window.readsUnderWay += 1;
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => void (window.readsUnderWay -= 1));
    return transaction;
  };
}

/** Stops a page's scripts where it reads nothing: no browser freezes a page in the middle of a transaction, which would hold up all others. */
async function stopBetweenReads(): Promise<void> {
  while (window.readsUnderWay > 0) await new Promise((resolve) => requestAnimationFrame(resolve));
  // oxlint-disable-next-line no-debugger -- where it stops until it is told to go on
  debugger;
}

/** Expects all tabs to show one and the same, and that many edits waiting. */
async function expectAlike(tabs: readonly Page[], edits: RegExp): Promise<void> {
  for (const tab of tabs) await expect.poll(() => badgeOf(tab), { timeout: 60_000 }).toMatch(edits);
  const shown = (): Promise<string[][]> => Promise.all(tabs.map(shownIn));
  await expect.poll(async () => [...new Set((await shown()).map((rows) => rows.join('\n')))]).toHaveLength(1);
  expect((await shownIn(tabs[0] ?? browser.page)).length).toBeGreaterThan(3);
}

describe('tabs and sleep', { timeout: 300_000 }, () => {
  test('[BF5] three tabs have one worker and show one truth, though one is closed and one reloaded while their edits are on their way', async () => {
    const second = await openTab(await browser.context.newPage());
    const third = await openTab(await browser.context.newPage());
    const effectsBefore = await effectsAt(callOf(browser.context, scene.serverUrl));
    await goOffline(browser, scene.gateway);
    // the third first, since it shows what the others decide at once
    await Promise.all([markNth(third, 4, 't'), markNth(second, 2, 'u'), markNth(browser.page, 0, 't')]);
    await expectAlike([browser.page, second, third], /^Outbox, 3 edits wait$/);
    const closed = scene.gateway.at({ call: sending, stage: 'asked', nth: 3 }, () => third.close());
    const reloaded = scene.gateway.at({ call: sending, stage: 'answered', nth: 2 }, () => second.reload());
    await goOnline(browser, scene.gateway);
    await Promise.all([closed, reloaded]);
    const fourth = await openTab(await browser.context.newPage());
    const tabs = [browser.page, second, fourth];
    await expectAlike(tabs, /^Outbox, no edits wait$/);
    await expectDrained(browser);
    expect((await effectsAt(callOf(browser.context, scene.serverUrl))) - effectsBefore).toBe(3);
    for (const tab of tabs) await synced(tab);
    await comesToSameRows(browser, scene);
    expect((await sharedWorkersIn(browser.context)).length).toBe(1);
    await second.close();
    await fourth.close();
  });

  test('[BF7] a page that was frozen shows what happened meanwhile, and holds nobody up', async () => {
    await browser.page.addInitScript(countReads);
    await openTab(browser.page);
    const other = await openTab(await browser.context.newPage());
    const session = await browser.context.newCDPSession(browser.page);
    const effectsBefore = await effectsAt(callOf(browser.context, scene.serverUrl));
    // a page is frozen as the browser does it only while it is hidden, and pages of a browser without a screen never are: so its scripts
    // are stopped
    await session.send('Debugger.enable');
    const stopped = new Promise((resolve) => session.once('Debugger.paused', resolve));
    const goesOn = browser.page.evaluate(stopBetweenReads);
    await stopped;
    const transfers = (): Promise<number> =>
      other
        .getByRole('row')
        .filter({ hasText: /Transfer/ })
        .count();
    await rowsWritten(other);
    const before = await transfers();
    await markNth(other, 0, 't');
    await expect.poll(transfers).toBe(before + 1);
    await expect.poll(() => effectsAt(callOf(browser.context, scene.serverUrl))).toBe(effectsBefore + 1);
    await expect.poll(() => badgeOf(other)).toBe('Outbox, no edits wait');
    await session.send('Debugger.resume');
    await goesOn;
    await session.send('Debugger.disable');
    await expectAlike([browser.page, other], /^Outbox, no edits wait$/);
    await other.close();
  });

  test('[BF7] a machine that sleeps while edits are on their way wakes to a dead network and sends each of them once', async () => {
    const random = randomOf('sleep');
    const marking = markingOf(0);
    await openRows(browser.page, scene.url, marking.from);
    const effectsBefore = await effectsAt(callOf(browser.context, scene.serverUrl));
    await goOffline(browser, scene.gateway);
    const edits = await queueEdits(browser.page, marking, 'Before the sleep');
    const asleep = scene.gateway.at({ call: sending, stage: 'answered', nth: 2 }, async () => {
      process.kill(-browser.pid, 'SIGSTOP');
      scene.gateway.cut();
    });
    await goOnline(browser, scene.gateway);
    await asleep;
    await aWhile(random, 2000);
    scene.gateway.mend();
    process.kill(-browser.pid, 'SIGCONT');
    await expectOnce(browser, scene, { marking, edits, effectsBefore });
  });

  test('[BF11] where the worker that tabs share is gone each of them begins anew with another one, and sends what waits', async () => {
    const marking = markingOf(1);
    await openRows(browser.page, scene.url, marking.from);
    const other = await openTab(await browser.context.newPage());
    const tabs = [browser.page, other];
    for (const tab of tabs) await synced(tab);
    const effectsBefore = await effectsAt(callOf(browser.context, scene.serverUrl));
    await goOffline(browser, scene.gateway);
    const edits = await queueEdits(browser.page, marking, 'Before the worker went');
    const loads = tabs.map((tab) => tab.waitForEvent('load'));
    await endSharedWorkersIn(browser.context);
    await goOnline(browser, scene.gateway);
    await Promise.all(loads);
    await expectOnce(browser, scene, { marking, edits, effectsBefore });
    expect(await sharedWorkersIn(browser.context)).toHaveLength(1);
    await other.close();
  });

  test('[BF5] a sign-out in one of three tabs ends all of them, and the work of one that has a worker of its own', async () => {
    const alone = await browser.context.newPage();
    await alone.addInitScript(() => void Reflect.deleteProperty(window, 'SharedWorker'));
    const databases = (): Promise<string[]> =>
      browser.page.evaluate(async () =>
        (await indexedDB.databases()).map(({ name }) => name ?? '').filter((name) => name.includes('replica')),
      );
    const [name = ''] = await databases();
    const late = await browser.context.newPage();
    // hears of the sign-out only when the first tab is done with it, and reads once more before it leaves
    await late.addInitScript((held) => {
      const onStorage = (event: StorageEvent): void => {
        if (event.key !== 'user') return;
        event.stopImmediatePropagation();
        window.removeEventListener('storage', onStorage);
        setTimeout(() => {
          const reading = indexedDB.open(held);
          reading.onsuccess = () => {
            reading.result.close();
            window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
          };
        }, 5000);
      };
      window.addEventListener('storage', onStorage);
    }, name);
    const others = [late, alone];
    for (const tab of others) await openTab(tab);
    const working = (): Promise<number> =>
      alone.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query();
        return [...held, ...pending].filter(({ name }) => name?.startsWith('tieout-engine:')).length;
      });
    await expect.poll(working).toBe(2);
    await browser.page.getByRole('button', { name: 'User menu' }).click();
    await browser.page.getByRole('menuitem', { name: 'Sign Out' }).click();
    for (const tab of [browser.page, ...others]) await tab.waitForURL(/\/(logout|login)/);
    await expect.poll(working).toBe(0);
    await expect.poll(databases).toEqual([]);
    await expect.poll(() => browser.page.evaluate(async () => (await fetch('/api/users/me')).status)).toBe(401);
    for (const tab of others) {
      await tab.goto(place);
      await tab.waitForURL(/\/(logout|login)/);
    }
  });
});
