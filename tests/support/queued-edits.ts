import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { listSavedViews } from '#contract/saved-views.ts';
import { listTransactionMatches } from '#contract/transaction-matches.ts';
import { largestPage } from '#contract/wire.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { rowCount } from './e2e.ts';
import { heldEdits } from './held-rows.ts';

/** Whose transfers are marked: the busiest entity of the demo. */
export const markedEntity = demoIdOf.entity('Meridian Master Fund LP');

/** A mark that all rows of one state are given. */
export interface Marking {
  from: 'PENDING' | 'APPROVED' | 'REJECTED';
  button: 'Mark transfer' | 'Not a transfer';
  to: 'APPROVED' | 'REJECTED';
}

/** Marks that go on and on: each is given to the rows that the one before it leaves. */
export function markingOf(turn: number): Marking {
  if (turn % 2 === 1) return { from: 'APPROVED', button: 'Not a transfer', to: 'REJECTED' };
  return { from: turn === 0 ? 'PENDING' : 'REJECTED', button: 'Mark transfer', to: 'APPROVED' };
}

/** Opens the withdrawals of a state: a pair of rows is marked by one of them. */
export async function openRows(page: Page, url: string, from: Marking['from']): Promise<void> {
  await page.goto(`${url}/transactions?entity=${markedEntity}&dates=all&type=2&match=${from}`);
  await page.locator('[data-row="0"] [data-column="1"]').waitFor();
  await expect.poll(() => rowCount(page)).toBeGreaterThan(0);
}

async function saveView(page: Page, name: string): Promise<void> {
  await page.keyboard.press('v');
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor();
  await page.getByRole('button', { name: /^Save as/ }).click();
  await page.getByRole('form', { name: 'Save view' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('form').count()).toBe(0);
  await page.keyboard.press('Escape');
}

/** Gives all rows of the open list a mark and saves the list as a view, as a person does. @returns the edits that wait now. */
export async function queueEdits(page: Page, { button }: Marking, viewName: string): Promise<OutboxRow[]> {
  await saveView(page, viewName);
  await page.locator('[data-row="0"] [data-column="1"]').focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: button, exact: true }).click();
  // one pair alone, marked before, is told as two rows
  await page
    .getByText(/([3-9]|\d\d+) rows marked as/)
    .first()
    .waitFor({ timeout: 90_000 });
  return (await heldEdits(page)).edits;
}

/** Edits made offline, the mark that most of them give, and how many effects there were at the server before. */
export interface QueuedEdits {
  marking: Marking;
  edits: OutboxRow[];
  effectsBefore: number;
}

/** How many effects edits have had at the server so far: every one makes a match's or a view's version one more. */
export async function effectsAt(call: ApiCall): Promise<number> {
  const matches = await call(listTransactionMatches, { entity_id: markedEntity, limit: largestPage });
  const views = await call(listSavedViews, {});
  return [...matches, ...views].reduce((sum, { version }) => sum + version, 0);
}
