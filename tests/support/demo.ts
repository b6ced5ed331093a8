import { cpSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { inject } from 'vitest';
import { aFolder, type BrowserOptions, freePort, openBrowser, type RunningServer, signIn, startServer, synced } from './e2e.ts';

/** The app on demo data with the accountant signed in, in a browser of its own. */
export interface DemoApp {
  server: RunningServer;
  context: BrowserContext;
  page: Page;
  /** What the server was started with, to start it again on the same data. */
  env: Record<string, string>;
  close: () => Promise<void>;
}

interface DemoOptions extends BrowserOptions {
  /** Demo data of its own with as many; without, the run's is copied. */
  transactions?: number;
  syncedWithinMs?: number;
  /** What else the server is started with. */
  settings?: Record<string, string>;
}

/** Starts the server on demo data that nothing has touched, signs in and waits until everything is in the browser. */
export async function openDemo(name: string, { transactions, syncedWithinMs, settings, ...options }: DemoOptions = {}): Promise<DemoApp> {
  const data = aFolder(`${name}-data`);
  cpSync(inject(transactions === undefined ? 'demoTemplate' : 'pgliteTemplate'), data.path, { recursive: true });
  const profile = aFolder(`${name}-profile`);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
    data.remove();
    profile.remove();
  };
  try {
    const env = { DATA_DIR: data.path, PORT: String(await freePort()), DEMO_TRANSACTIONS: String(transactions ?? 0), ...settings };
    const server = await startServer(env);
    closing.push(() => server.stop('SIGKILL'));
    const { context, page } = await openBrowser(profile.path, options);
    closing.push(() => context.close());
    await signIn(page, server.url);
    await synced(page, syncedWithinMs);
    // from here on the app opens without its server
    await page.evaluate(() => navigator.serviceWorker.ready);
    return { server, context, page, env, close };
  } catch (error) {
    await close();
    throw error;
  }
}
