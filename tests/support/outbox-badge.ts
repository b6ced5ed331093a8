import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** The way to the outbox in the bar, which says what waits. */
export function outboxBadge(page: Page): Locator {
  return page.getByRole('banner').getByRole('link', { name: /^Outbox/ });
}

/** Waits until no edit waits any more. */
export async function drained(page: Page): Promise<void> {
  await expect.poll(() => outboxBadge(page).getAttribute('aria-label'), { timeout: 60_000 }).toBe('Outbox, no edits wait');
}
