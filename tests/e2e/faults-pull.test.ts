import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { killBrowser } from '#tests/support/browser-process.ts';
import { isSaying, offline, synced } from '#tests/support/e2e.ts';
import { aWhile, goOffline, goOnline, soon, syncNow } from '#tests/support/network-faults.ts';
import { expectHonest, expectSameRows, expectShown } from '#tests/support/fault-checks.ts';
import { type FaultBrowser, type FaultScene, killsOfCopies, openFaultScene, pulling } from '#tests/support/fault-scene.ts';
import { type Stage, stages } from '#tests/support/gateway.ts';
import { callOf, heldPulls, servedRows, transactionsIn } from '#tests/support/held-rows.ts';
import { type Random, randomOf } from '#tests/sim/random.ts';

// A first pull in a real browser that is killed, whose server is killed, and whose network comes and goes.

/** Enough that one client's rows are sealed into segments while they are pulled. */
const demoTransactions = 22_000;
/** Pages on their way at once, which a kill may lose. */
const pagesAtOnce = 4;
/** When the server is killed: while it reads, and when its answer is on the way. */
const serverKills: readonly Stage[] = ['asked', 'answered'];
/** How often the network goes. */
const flaps = 16;
/** Longest time a test may take on a busy machine. */
const longestMs = 300_000;
const pages = /^GET \/api\/transactions\?/;

let scene: FaultScene;
/** Pages of transactions that one undisturbed pull cannot do without, and those it may ask for at most. */
let fewest = 0;
let most = 0;

beforeAll(async () => {
  scene = await openFaultScene('faults-pull', { template: inject('pgliteTemplate'), transactions: demoTransactions });
  // many small pages, as a server of the specification hands them out: many moments at which everything may end
  scene.gateway.hide(/\/api\/sync\//);
  const browser = await scene.open(scene.profile());
  const served = await servedRows(callOf(browser.context, scene.serverUrl));
  await browser.context.close();
  fewest = Math.floor(transactionsIn(served).length / 100);
  // each page shares its last moment with the next, each entity is read in two stretches, and each stretch ends with looks at nothing new
  most = Math.ceil(transactionsIn(served).length / 98) + 8 * (served.entities?.length ?? 0);
});
afterAll(() => scene?.close());

/** The number of calls until the next fault, so that the faults left are spread over what is left of the pull. */
function nextFault(random: Random, given: number, faultsLeft: number): number {
  return 1 + random.below(Math.max(1, Math.floor((1.8 * (fewest - given)) / (faultsLeft + 1))));
}

/** What must be true of every first pull, whatever it went through. */
async function expectWhole(browser: FaultBrowser): Promise<void> {
  await synced(browser.page);
  const { rows, written } = await expectSameRows(browser, scene);
  expect(written).toBe(transactionsIn(rows).length);
  await expectShown(browser, scene, rows);
}

describe('a first pull', { timeout: longestMs }, () => {
  for (const [copy, faults] of killsOfCopies().entries()) {
    test(`[BF1] a first pull whose browser is killed goes on where it was and ends with exactly the server's rows: copy ${copy + 1}`, async () => {
      const random = randomOf(`pull ${copy}`);
      const profile = scene.profile();
      const before = scene.gateway.count(pages, 'given');
      // a crash may tear the browser's log, which it then throws away with all that was in it
      let [begun, thrownAway] = [0, 0];
      for (let fault = 0; fault < faults; fault += 1) {
        const browser = await scene.open(profile);
        // a place of the app without the app: nothing goes on while one looks
        await browser.page.goto(`${scene.url}/config.json`);
        await expectHonest(browser);
        const pulls = (await heldPulls(browser.page)).length;
        if (pulls < begun) thrownAway += 1;
        begun = pulls;
        const given = scene.gateway.count(pages, 'given') - before;
        // the first kills meet the lists that come before the transactions
        const call = fault < 3 ? pulling : pages;
        const moment = { call, stage: random.pick(stages), nth: nextFault(random, given, faults - fault) };
        const killed = scene.gateway.at(moment, async () => {
          await aWhile(random, 20);
          await killBrowser(browser);
        });
        // it may be killed before the page has come
        await browser.page.goto(`${scene.url}/home`).catch(() => undefined);
        await killed;
      }
      const browser = await scene.open(profile);
      await browser.page.goto(`${scene.url}/home`);
      await expectWhole(browser);
      const given = scene.gateway.count(pages, 'given') - before;
      expect(given).toBeGreaterThanOrEqual(fewest);
      expect(given).toBeLessThanOrEqual((1 + thrownAway) * most + pagesAtOnce * faults);
      await browser.context.close();
    });
  }

  test("[BF3] a server killed and started again in the middle leaves a browser with exactly the server's rows: during a first pull", async () => {
    const random = randomOf('server during a pull');
    const browser = await scene.open(scene.profile());
    const before = scene.gateway.count(pages, 'given');
    await browser.page.goto(`${scene.url}/home`);
    for (const [fault, stage] of serverKills.entries()) {
      const given = scene.gateway.count(pages, 'given') - before;
      const moment = { call: pages, stage, nth: nextFault(random, given, serverKills.length - fault) };
      await scene.gateway.at(moment, () => scene.server().stop('SIGKILL'));
      await scene.restart();
      // the last time it finds out by itself
      if (fault < serverKills.length - 1) await syncNow(browser.page);
    }
    await expectWhole(browser);
    await browser.context.close();
  });

  test("[BF4] a network that comes and goes leaves a browser synced, with exactly the server's rows: during a first pull", async () => {
    const random = randomOf('network during a pull');
    const browser = await scene.open(scene.profile());
    const broken = scene.gateway.broken();
    for (let fault = 0; fault < flaps; fault += 1) {
      const moment = { call: fault < 3 ? pulling : pages, stage: random.pick(stages), nth: 1 + random.below(9) };
      const gone = scene.gateway.at(moment, () => goOffline(browser, scene.gateway));
      await (fault === 0 ? browser.page.goto(`${scene.url}/home`) : goOnline(browser, scene.gateway));
      await soon(gone);
      await offline(browser.page);
      await aWhile(random, 300);
    }
    await goOnline(browser, scene.gateway);
    await soon(isSaying(browser.page, /^Sync/, 30_000));
    await expectWhole(browser);
    expect(scene.gateway.broken() - broken).toBeGreaterThanOrEqual(flaps / 2);
    await browser.context.close();
  });
});
