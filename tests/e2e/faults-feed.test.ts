import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { saveView } from '#contract/saved-views.ts';
import { killBrowser } from '#tests/support/browser-process.ts';
import { synced } from '#tests/support/e2e.ts';
import { comesToSameRows, expectHonest, expectSameRows } from '#tests/support/fault-checks.ts';
import { type FaultScene, kills, openFaultScene } from '#tests/support/fault-scene.ts';
import { stages } from '#tests/support/gateway.ts';
import { callOf } from '#tests/support/held-rows.ts';
import { aWhile } from '#tests/support/network-faults.ts';
import { type Random, randomOf } from '#tests/sim/random.ts';

// A real browser is killed while it reads everything for the first time from a server that tells of changes, and while it catches up.

const demoTransactions = 22_000;
/** In its first pull, and again while it catches up. */
const killsOfEach = Math.ceil(kills / 3);
/** Longest time a test may take on a busy machine. */
const longestMs = 120_000 + kills * 10_000;
const feed = /^(GET|POST) \/api\/sync\/v1\/(hello|changes)/;
const lists = /^GET \/api\/(?!users\/me|diagnosis|sync)/;

let scene: FaultScene;
beforeAll(async () => {
  scene = await openFaultScene('faults-feed', { template: inject('pgliteTemplate'), transactions: demoTransactions });
});
afterAll(() => scene?.close());

/** Opens the app and kills its browser once a call has come so far. */
async function opensAndDies(profile: string, random: Random, call: RegExp, mostCalls: number): Promise<void> {
  const browser = await scene.open(profile);
  // a place of the app without the app: nothing goes on while one looks
  await browser.page.goto(`${scene.url}/config.json`);
  await expectHonest(browser);
  const moment = { call, stage: random.pick(stages), nth: 1 + random.below(mostCalls) };
  const killed = scene.gateway.at(moment, async () => {
    await aWhile(random, 20);
    await killBrowser(browser);
  });
  // it may be killed before the page has come
  await browser.page.goto(`${scene.url}/home`).catch(() => undefined);
  await killed;
}

describe('at a server that tells of changes', { timeout: longestMs }, () => {
  test('[BF10] a browser killed in its first pull, and while it catches up with what was changed since, ends with exactly the server’s rows', async () => {
    const random = randomOf('feed');
    const profile = scene.profile();
    await opensAndDies(profile, random, feed, 1);
    // each opening asks for some of them, so that there are some whatever the kills before it left to read
    for (let fault = 1; fault < killsOfEach; fault += 1) await opensAndDies(profile, random, lists, 6);
    const browser = await scene.open(profile);
    await browser.page.goto(`${scene.url}/home`);
    await synced(browser.page);
    await comesToSameRows(browser, scene);
    await browser.context.close();
    for (let fault = 0; fault < killsOfEach; fault += 1) {
      const elsewhere = await scene.open(scene.profile());
      const call = callOf(elsewhere.context, scene.serverUrl);
      for (let no = 0; no < 5; no += 1) {
        const view = { id: uuidv7(), name: `View ${fault} ${no}`, list: 'transactions', search: 'dates=all' } as const;
        await call(saveView, view, { idempotencyKey: uuidv7() });
      }
      await elsewhere.context.close();
      await opensAndDies(profile, random, feed, 2);
    }
    const last = await scene.open(profile);
    await last.page.goto(`${scene.url}/home`);
    await synced(last.page);
    const { rows } = await comesToSameRows(last, scene);
    expect(rows.saved_views?.length).toBeGreaterThanOrEqual(5 * killsOfEach);
    await expectSameRows(last, scene);
    await last.context.close();
  });
});
