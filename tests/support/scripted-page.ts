import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from 'vite';
import { aFolder, openBrowser } from './e2e.ts';

/** No server has it: whatever is asked of it is an empty page. */
const place = 'https://page.test/';

/** An empty page in a browser of its own, with a module of ours in it. */
export async function openScriptedPage(name: string, entry: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const [profile, script] = [aFolder(`${name}-profile`), aFolder(`${name}-script`)];
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir: script.path, target: 'esnext', lib: { entry, formats: ['iife'], name: 'page', fileName: () => 'page.js' } },
  });
  const { context, page } = await openBrowser(profile.path);
  await context.route(`${place}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Page</title>' }));
  await page.goto(place);
  await page.addScriptTag({ path: join(script.path, 'page.js') });
  return {
    page,
    close: async () => {
      await context.close();
      profile.remove();
      script.remove();
    },
  };
}
