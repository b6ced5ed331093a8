import { writeFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { seriousFaultsOf } from './axe.ts';

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

/** Waits until nothing fades any more: colours begin to with the first frame after a change, and a busy browser is late with it. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let calm = 0; calm < 3; ) {
      await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      calm = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : calm + 1;
    }
  });
}

/**
 * No serious fault of accessibility, and nothing wider than the screen, nor a page that scrolls beneath its shell: wide and narrow, light and dark. Leaves it wide and light.
 * With `SHOTS`, a folder, in the environment each is also a picture there.
 */
export async function looksRightIn({ context, page }: { context: BrowserContext; page: Page }, name: string): Promise<void> {
  const shots = process.env.SHOTS;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((value) => document.body.classList.replace(value === 'dark' ? 'light' : 'dark', value), theme);
      await settled(page);
      expect([name, size, theme, await seriousFaultsOf(context, page)]).toEqual([name, size, theme, []]);
      const { scrollWidth, scrollHeight } = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { scrollWidth, scrollHeight };
      });
      expect(scrollWidth).toBeLessThanOrEqual(viewport.width);
      expect(scrollHeight).toBeLessThanOrEqual(viewport.height);
      if (shots) writeFileSync(`${shots}/${name}-${size}-${theme}.png`, await page.screenshot());
    }
  }
  await page.evaluate(() => document.body.classList.replace('dark', 'light'));
  await page.setViewportSize(sizes.wide);
}
