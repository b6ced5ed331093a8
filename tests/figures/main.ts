// npm run bench:sync -- [--rows N]: how long the engine takes in a real Chromium, at a server that is a round trip of 100 ms away.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { listEntities } from '#contract/entities.ts';
import { listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { largestPage } from '#contract/wire.ts';
import { type FaultScene, openFaultScene } from '#tests/support/fault-scene.ts';
import { callOf, heldEdits } from '#tests/support/held-rows.ts';
import { markedEntity } from '#tests/support/queued-edits.ts';
import { openScriptedPage } from '#tests/support/scripted-page.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(values.rows);
const roundTripMs = 100;
const remoteChanges = 500;
const localEdits = 50;
const enqueued = 400;
/** Longest a pull may take before it is given up, in milliseconds. */
const longestMs = 600_000;
const feed = /\/api\/sync\//;
const everything = /^/;

let missed = 0;
const told = (what: string, ms: number, bound: number): void => {
  if (ms > bound) missed += 1;
  console.log(`${what}: ${(ms / 1000).toFixed(ms < 100 ? 4 : 2)} s (at most ${bound / 1000} s${ms <= bound ? '' : ': NOT MET'})`);
};

/** Waits as the page sees it, from frame to frame: a locator looks twice a second, which is more than what is measured may differ by. */
async function whenThere(page: Page, selector: string, text: RegExp): Promise<void> {
  const isThere = ([selector, source]: readonly [string, string]): boolean =>
    [...document.querySelectorAll(selector)].some((element) => new RegExp(source).test(element.ariaLabel ?? element.textContent ?? ''));
  await page.waitForFunction(isThere, [selector, text.source] as const, { polling: 'raf', timeout: longestMs });
}

const whenSynced = (page: Page): Promise<void> => whenThere(page, '[role="status"], output', /^Synced \d/);

/** A first pull of everything into an empty browser. @returns the browser, and what it took. */
async function pull(scene: FaultScene): Promise<{ page: Page; close: () => Promise<void>; ms: number; calls: number }> {
  const { page, context } = await scene.open(scene.profile());
  const before = scene.gateway.count(everything, 'given');
  const began = performance.now();
  await page.goto(`${scene.url}/home`);
  await whenSynced(page);
  return { page, close: () => context.close(), ms: performance.now() - began, calls: scene.gateway.count(everything, 'given') - before };
}

/** Somebody else decides about transfers of other entities: each decision changes the rows of both legs. @returns how many rows. */
async function changeElsewhere(scene: FaultScene, page: Page): Promise<number> {
  const call = callOf(page.context(), scene.serverUrl);
  const entities = (await call(listEntities, {})).filter(({ id }) => id !== markedEntity);
  let rows = 0;
  for (const { id } of entities) {
    for (const { out_trx_id, in_trx_id } of await call(listTransactionMatches, { entity_id: id, limit: largestPage })) {
      if (rows >= remoteChanges) return rows;
      if (out_trx_id === null || in_trx_id === null) continue;
      await call(markTransfer, { trx_id: out_trx_id, counterpart_id: in_trx_id, is_transfer: false });
      rows += 2;
    }
  }
  return rows;
}

/** A while without a network: edits here, changes there. @returns how long it takes until both have met. */
async function catchUp(scene: FaultScene, page: Page): Promise<number> {
  await page.goto(`${scene.url}/transactions?entity=${markedEntity}&dates=all&type=2`);
  await page.locator('[data-row="0"] [data-column="1"]').focus();
  scene.gateway.cut();
  await page.context().setOffline(true);
  for (let edit = 0; edit < localEdits; edit += 1) {
    await page.keyboard.press('t');
    await page.keyboard.press('ArrowDown');
  }
  const changed = await changeElsewhere(scene, page);
  const { edits } = await heldEdits(page);
  console.log(`  without a network: ${edits.length} edits here, ${changed} rows changed there`);
  if (edits.length < localEdits || changed < remoteChanges) throw new Error(`These are not ${localEdits} edits and ${remoteChanges} rows`);
  const began = performance.now();
  scene.gateway.mend();
  await page.context().setOffline(false);
  await whenThere(page, 'a[href="/outbox"]', /^Outbox, no edits wait$/);
  await whenSynced(page);
  return performance.now() - began;
}

/** How long an edit takes to be on the disk, in milliseconds, of 20 all but the slowest. */
async function enqueueP95(): Promise<number> {
  const { page, close } = await openScriptedPage('enqueue', join(import.meta.dirname, 'enqueue-page.ts'));
  const times = (await page.evaluate((count) => window.enqueueTimes(count), enqueued)).sort((a, b) => a - b);
  await close();
  return times[Math.floor(enqueued * 0.95)] ?? Infinity;
}

const scene = await openFaultScene('bench-sync', { transactions: rows });
try {
  scene.gateway.forget();
  scene.gateway.delay(roundTripMs);
  console.log(`${rows} rows at a round trip of ${roundTripMs} ms`);
  scene.gateway.hide(feed);
  const specification = await pull(scene);
  told(`first pull, specification mode (${specification.calls} calls)`, specification.ms, 40_000);
  await specification.close();
  scene.gateway.hide(null);
  const followed = await pull(scene);
  told(`first pull, feed mode (${followed.calls} calls)`, followed.ms, 8_000);
  told(`catch-up of ${remoteChanges} changes there and ${localEdits} edits here`, await catchUp(scene, followed.page), 3_000);
  await followed.close();
  told(`an edit is on the disk, p95 of ${enqueued}`, await enqueueP95(), 10);
} finally {
  await scene.close();
}
process.exit(missed > 0 ? 1 : 0);
