import { sql } from 'drizzle-orm';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { openPglite, rowsOf } from '#server/database/open.ts';
import { type Random, randomOf } from '#tests/sim/random.ts';
import { killBrowser } from '#tests/support/browser-process.ts';
import { isSaying, offline, synced } from '#tests/support/e2e.ts';
import { expectDrained, expectOnce } from '#tests/support/fault-checks.ts';
import { type FaultBrowser, type FaultScene, killsOfCopies, openFaultScene } from '#tests/support/fault-scene.ts';
import { type Stage, stages } from '#tests/support/gateway.ts';
import { callOf, heldEdits } from '#tests/support/held-rows.ts';
import { aWhile, goOffline, goOnline, soon, syncNow } from '#tests/support/network-faults.ts';
import { effectsAt, markingOf, openRows, type QueuedEdits, queueEdits } from '#tests/support/queued-edits.ts';

// Edits made offline are sent while the browser is killed, the server is killed, and the network comes and goes. One copy goes
// through all of it, each test going on where the one before it ended.

/** Edits sent, and the reading back of what they did. */
const replaying = /^PUT \/api\/(transaction_matches|saved_views)|^GET \/api\/transactions\/select/;
const sending = /^PUT /;
/** When the server is killed: its answer is lost with it, or it never heard. */
const serverKills: readonly Stage[] = ['answered', 'asked'];
/** How often the network goes. */
const flaps = 12;
/** Longest time a test may take on a busy machine. */
const longestMs = 300_000;
/** How often the outbox is looked into, in milliseconds. */
const lookAgainMs = 100;

let scene: FaultScene;
let profile: string;
let browser: FaultBrowser;
let turn = 0;
const sent: OutboxRow[] = [];

beforeAll(async () => {
  scene = await openFaultScene('faults-replay', { template: inject('demoTemplate') });
  profile = scene.profile();
  browser = await scene.open(profile);
  await browser.page.goto(`${scene.url}/home`);
  await synced(browser.page);
});
afterAll(() => scene?.close());

/** Makes edits without a network. */
async function queueOffline(): Promise<QueuedEdits> {
  const marking = markingOf(turn);
  turn += 1;
  await openRows(browser.page, scene.url, marking.from);
  const effectsBefore = await effectsAt(callOf(browser.context, scene.serverUrl));
  await goOffline(browser, scene.gateway);
  const edits = await queueEdits(browser.page, marking, `View ${turn}`);
  expect(edits.length).toBeGreaterThan(20);
  sent.push(...edits);
  return { marking, edits, effectsBefore };
}

/** The number of calls until the next fault, so that the faults left are spread over the edits left. */
function nextFault(random: Random, editsLeft: number, faultsLeft: number): number {
  return 1 + random.below(Math.max(1, Math.floor((1.6 * editsLeft) / (faultsLeft + 1))));
}

/** Resolves when nothing is left in the outbox of a page; never where the page dies before. */
async function drained(page: Page): Promise<void> {
  for (;;) {
    const left = await heldEdits(page).then(
      ({ edits }) => edits.length,
      () => null,
    );
    if (left === 0) return;
    if (page.isClosed()) await new Promise(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

describe('the sending of what was made offline', { timeout: longestMs }, () => {
  for (const [copy, faults] of killsOfCopies().entries()) {
    test(`[BF2] edits whose browser is killed while they are sent have their effect exactly once, and none is lost: round ${copy + 1}`, async () => {
      const random = randomOf(`replay ${copy}`);
      const queued = await queueOffline();
      const before = scene.gateway.count(sending, 'asked');
      let killed = 0;
      for (let fault = 0; fault < faults; fault += 1) {
        const left = queued.edits.length - (scene.gateway.count(sending, 'asked') - before);
        const moment = { call: replaying, stage: random.pick(stages), nth: nextFault(random, left, faults - fault) };
        const kill = scene.gateway.at(moment, async () => {
          await aWhile(random, 20);
          await killBrowser(browser);
        });
        // it may be killed before it has answered
        if (fault === 0) await goOnline(browser, scene.gateway).catch(() => undefined);
        else await browser.page.goto(`${scene.url}/home`).catch(() => undefined);
        // on a fast machine more is sent until the browser is dead than was meant to, and nothing may be left for the last faults
        const isDone = await Promise.race([kill.then(() => false), drained(browser.page).then(() => true)]);
        if (isDone) break;
        killed += 1;
        browser = await scene.open(profile);
      }
      scene.gateway.forget();
      expect(killed).toBeGreaterThanOrEqual(faults / 3);
      await browser.page.goto(`${scene.url}/home`);
      await expectOnce(browser, scene, queued);
    });
  }

  test('[BF4] a network that comes and goes leaves a browser synced, with nothing done twice or lost: while edits are sent', async () => {
    const random = randomOf('network during a replay');
    const queued = await queueOffline();
    const broken = scene.gateway.broken();
    for (let fault = 0; fault < flaps; fault += 1) {
      const moment = { call: sending, stage: random.pick(stages), nth: 1 + random.below(2) };
      const gone = scene.gateway.at(moment, () => goOffline(browser, scene.gateway));
      await goOnline(browser, scene.gateway);
      await soon(gone);
      await offline(browser.page);
      await aWhile(random, 300);
    }
    await goOnline(browser, scene.gateway);
    await soon(isSaying(browser.page, /^Sync/, 30_000));
    await expectOnce(browser, scene, queued);
    expect(scene.gateway.broken() - broken).toBeGreaterThanOrEqual(flaps / 2);
  });

  test('[BF3] a server killed and started again in the middle leaves nothing done twice or lost: while edits are sent', async () => {
    const random = randomOf('server during a replay');
    const queued = await queueOffline();
    for (const stage of serverKills) {
      const killed = scene.gateway.at({ call: sending, stage, nth: 1 + random.below(5) }, async () => {
        // what it had answered is lost with it
        scene.gateway.cut();
        await scene.server().stop('SIGKILL');
      });
      await (stage === serverKills[0] ? goOnline(browser, scene.gateway) : syncNow(browser.page));
      await killed;
      await offline(browser.page);
      await scene.restart();
      scene.gateway.mend();
    }
    // once it is synced again nothing waits, though an edit that failed again and again may wait long
    await synced(browser.page);
    await expectDrained(browser, 0);
    await expectOnce(browser, scene, queued);

    await scene.server().stop();
    const database = await openPglite(scene.dataFolder);
    const keys = await rowsOf<{ key: string; status: number }>(database.db, sql`select key, status::int as status from idempotency`);
    await database.close();
    expect(keys.map(({ key, status }) => `${key} ${status}`).toSorted()).toEqual(sent.map(({ id }) => `${id} 200`).toSorted());
  });
});
