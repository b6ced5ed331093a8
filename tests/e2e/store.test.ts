import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { storeCases } from '#tests/sim/store-cases.ts';
import { openScriptedPage } from '#tests/support/scripted-page.ts';

// What the engine stands on, in a real browser's IndexedDB.

let opened: Awaited<ReturnType<typeof openScriptedPage>>;

beforeAll(async () => {
  opened = await openScriptedPage('store', join(import.meta.dirname, '..', 'sim', 'store-page.ts'));
});
afterAll(() => opened?.close());

describe('a store', () => {
  for (const [index, { rule }] of storeCases.entries()) {
    test(`[PO1] ${rule}: in Chromium`, async () => {
      await opened.page.evaluate((at) => window.runStoreCase(at), index);
    });
  }
});
