import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { storeCases } from '#tests/sim/store-cases.ts';
import { aFolder, openBrowser } from '#tests/support/e2e.ts';

// What the engine stands on, in a real browser's IndexedDB.

const profile = aFolder('store-profile');
const script = aFolder('store-script');
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: script.path,
      target: 'esnext',
      lib: { entry: join(import.meta.dirname, '..', 'sim', 'store-page.ts'), formats: ['iife'], name: 'cases', fileName: () => 'cases.js' },
    },
  });
  ({ context, page } = await openBrowser(profile.path));
  // a place of its own, without a server
  await context.route('http://store.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Store</title>' }),
  );
  await page.goto('http://store.test/');
  await page.addScriptTag({ path: join(script.path, 'cases.js') });
});
afterAll(async () => {
  await context?.close();
  profile.remove();
  script.remove();
});

describe('a store', () => {
  for (const [index, { rule }] of storeCases.entries()) {
    test(`[PO1] ${rule}: in Chromium`, async () => {
      await page.evaluate((at) => window.runStoreCase(at), index);
    });
  }
});
