import type { Page } from 'playwright';
import type { Random } from '#tests/sim/random.ts';
import type { BrowserTab } from './fault-scene.ts';
import type { Gateway } from './gateway.ts';

/** A time that a seed gives, in which the fault lasts or a page is being written. */
export function aWhile(random: Random, mostMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, random.below(mostMs)));
}

/** The network goes: the browser knows it, and what is on its way breaks off. The worker of all tabs is beyond the browser's own switch. */
export async function goOffline({ context }: BrowserTab, gateway: Gateway): Promise<void> {
  gateway.cut();
  await context.setOffline(true);
}

export async function goOnline({ context }: BrowserTab, gateway: Gateway): Promise<void> {
  gateway.mend();
  await context.setOffline(false);
}

/** Longest time until what waited for the network goes on; less than the longest rest of whoever is not told that it is back. */
const soonMs = 14_000;

/** Waits for what must come soon after the network is back. */
export async function soon(coming: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing went on within ${soonMs} ms after the network was back`)), soonMs);
  });
  await Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

/** As a person does who will not wait. */
export async function syncNow(page: Page): Promise<void> {
  const state = page.getByRole('button').filter({ has: page.getByRole('status') });
  await state.click();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.keyboard.press('Escape');
}
