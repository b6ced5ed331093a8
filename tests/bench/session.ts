import { type BrowserContext, chromium, type Page } from 'playwright';
import { findWholeChromium } from '../support/chromium.ts';
import type { BenchPage, OrderName, Orders } from './page/orders.ts';

const launchPromise = findWholeChromium();

/** A browser of its own on a profile folder: what an earlier session stored there is there again, nothing of its memory is. */
export class Session {
  private readonly context: BrowserContext;
  private readonly page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  static async open(url: string, profile: string): Promise<Session> {
    const launch = await launchPromise;
    // Memory is told at once instead of within 20 seconds; a few gigabytes of objects are allowed for.
    const args = [...launch.args, '--enable-blink-features=ForceEagerMeasureMemory', '--js-flags=--max-old-space-size=8192'];
    const context = await chromium.launchPersistentContext(profile, { ...launch, args, headless: true });
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(0);
    page.on('crash', () => console.error('The page crashed'));
    if (process.env.BENCH_CONSOLE) page.on('console', (message) => console.log('  page:', message.text()));
    await page.goto(url);
    return new Session(context, page);
  }

  version(): string {
    return this.context.browser()?.version() ?? 'unknown';
  }

  start(file: string): Promise<void> {
    return this.page.evaluate((name) => (globalThis as unknown as { bench: BenchPage }).bench.start(name), file);
  }

  coldOpen(file: string, counted: boolean): Promise<number> {
    return this.page.evaluate(({ file, counted }) => (globalThis as unknown as { bench: BenchPage }).bench.coldOpen(file, counted), {
      file,
      counted,
    });
  }

  order<Name extends OrderName>(name: Name, order: Orders[Name]['order']): Promise<Orders[Name]['answer']> {
    // A text crosses to the browser and back many times faster than the objects it stands for.
    return this.page
      .evaluate(
        async ({ name, text }) => {
          const { bench } = globalThis as unknown as { bench: BenchPage };
          return JSON.stringify(await bench.order(name, JSON.parse(text) as never));
        },
        { name, text: JSON.stringify(order) },
      )
      .then((text) => JSON.parse(text) as Orders[Name]['answer']);
  }

  memory(): Promise<number> {
    return this.page.evaluate(() => (globalThis as unknown as { bench: BenchPage }).bench.memory());
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
