import type { Locator, Page } from 'playwright';

/** The way to the outbox in the bar, which says what waits. */
export function outboxBadge(page: Page): Locator {
  return page.getByRole('banner').getByRole('link', { name: /^Outbox/ });
}

/** Waits until no edit waits any more. @throws where some still do, with what is said of them. */
export async function drained(page: Page): Promise<void> {
  const badge = outboxBadge(page);
  const none = badge.and(page.getByLabel('Outbox, no edits wait', { exact: true }));
  await none.waitFor({ state: 'attached', timeout: 60_000 }).catch(async (cause: unknown) => {
    throw new Error(`Edits still wait: ${await badge.getAttribute('aria-label')}`, { cause });
  });
}
