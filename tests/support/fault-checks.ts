import type { Page } from 'playwright';
import { expect, vi } from 'vitest';
import type { MarkTransferInput } from '#contract/transaction-matches.ts';
import { totalsOf } from '#app/screens/transactions/selection-totals.ts';
import { plainDecimal } from '#domain/amounts.ts';
import { rowCount, synced } from './e2e.ts';
import type { BrowserTab, FaultScene } from './fault-scene.ts';
import { callOf, heldCounts, heldEdits, heldRows, type RowsByNoun, servedRows, transactionsIn } from './held-rows.ts';
import { syncNow } from './network-faults.ts';
import { effectsAt, type QueuedEdits } from './queued-edits.ts';

/** What the checks need to know of a scene. */
type Served = Pick<FaultScene, 'url' | 'serverUrl'>;

function idsOf(rows: RowsByNoun): Record<string, string[]> {
  return Object.fromEntries(Object.entries(rows).map(([noun, list]) => [noun, list.map(({ id }) => id)]));
}

/** Expects the copy in a browser to hold exactly the server's rows, every field of each. */
export async function expectSameRows({ page, context }: BrowserTab, scene: Served): Promise<{ written: number; rows: RowsByNoun }> {
  const served = await servedRows(callOf(context, scene.serverUrl));
  const { rows, written } = await heldRows(page);
  // the ids first: what is missing or too much is easier to read
  expect(idsOf(rows)).toEqual(idsOf(served));
  expect(rows).toEqual(served);
  return { written, rows };
}

/** Waits for the rows to be the server's: a screen may say of the round before that it is synced. */
export function comesToSameRows(browser: BrowserTab, scene: Served): ReturnType<typeof expectSameRows> {
  return vi.waitFor(() => expectSameRows(browser, scene), { timeout: 60_000, interval: 500 });
}

/** Expects a copy to say of every scope how many rows it holds of it: rows and their number are written together or not at all. */
export async function expectHonest({ page }: BrowserTab): Promise<void> {
  const held = new Map<string, number>();
  for (const { entity_id } of transactionsIn((await heldRows(page)).rows))
    held.set(`entity:${entity_id}`, (held.get(`entity:${entity_id}`) ?? 0) + 1);
  const counted = [...(await heldCounts(page, 'transactions'))].filter(([, count]) => count !== 0);
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(held));
}

/** The sums at the foot of the list of everything: rows, then in, out, fees and net in dollars to the last digit. */
async function shownTotals(page: Page): Promise<string[]> {
  return page
    .getByRole('region', { name: 'Totals' })
    .locator('[title$=" USD"]')
    .evaluateAll((figures) => figures.map((figure) => figure.getAttribute('title') ?? ''));
}

/** Expects the list of all transactions to count and sum exactly these rows. */
export async function expectShown({ page }: BrowserTab, { url }: Served, rows: RowsByNoun): Promise<void> {
  const { count, usd } = totalsOf(transactionsIn(rows));
  await page.goto(`${url}/transactions?client=all&dates=all`);
  await synced(page);
  await page.getByRole('grid').waitFor();
  const sums = [usd.in, usd.out, usd.fees, usd.net].map((sum) => `${plainDecimal(sum)} USD`);
  await expect.poll(async () => [await rowCount(page), ...(await shownTotals(page))]).toEqual([count, ...sums]);
}

/** Waits until nothing is in the outbox, as the disk and the screen say. */
export async function expectDrained({ page }: BrowserTab, withinMs = 60_000): Promise<void> {
  await expect
    .poll(async () => (await heldEdits(page)).edits.map(({ title, state }) => `${state}: ${title}`), { timeout: withinMs })
    .toEqual([]);
  await page.getByRole('link', { name: 'Outbox, no edits wait' }).waitFor();
}

/**
 * Expects edits to have been sent, whatever happened to them on the way: each has had one effect at the server and left one
 * receipt, nothing waits, and the copy is what the server has.
 */
export async function expectOnce(browser: BrowserTab, scene: Served, { marking, edits, effectsBefore }: QueuedEdits): Promise<void> {
  await expectDrained(browser);
  const { receipts } = await heldEdits(browser.page);
  const own = new Set(edits.map(({ id }) => id));
  const settled = receipts.filter(({ id }) => own.has(id)).map(({ id, outcome }) => `${id} ${outcome}`);
  expect(settled.toSorted()).toEqual(edits.map(({ id }) => `${id} accepted`).toSorted());
  expect((await effectsAt(callOf(browser.context, scene.serverUrl))) - effectsBefore).toBe(edits.length);
  await syncNow(browser.page);
  await synced(browser.page);
  const { rows } = await comesToSameRows(browser, scene);
  const states = new Map(transactionsIn(rows).map(({ id, match_state }) => [id, match_state]));
  const marked = edits.filter(({ name }) => name === 'markTransfer').map(({ input }) => states.get((input as MarkTransferInput).trx_id));
  expect(new Set(marked)).toEqual(new Set([marking.to]));
}
