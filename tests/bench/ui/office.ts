import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from 'vite';
import { accountant, freePort, openBrowser, signIn, startServer, synced } from '../../support/e2e.ts';
import type { Filling } from './fill.ts';

/** The app in a browser, signed in, offline or not, its list filled. */
export interface Office {
  page: Page;
  /** Rows in the list. */
  rows: number;
  /** Bytes the browser's page and worker processes hold. */
  memory: () => number;
  /** The same list in a browser whose frames come at a display's pace. */
  withTick: () => Promise<Page>;
  close: () => Promise<void>;
}

interface Opening {
  folder: string;
  entity: { id: string; name: string };
  rows: number;
}

const syncedWithinMs = 120_000;
/** A frame is drawn as soon as there is something to draw: what is measured is the app's work, not the wait for a display (up to 17 ms). */
export const withoutTick = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];
const seed = 20_260_101;
const here = import.meta.dirname;

/** A script of this folder as one text that a page can run. */
async function scriptOf(name: string, folder: string): Promise<string> {
  const outDir = join(folder, `script-${name}`);
  await build({
    configFile: false,
    root: here,
    logLevel: 'error',
    build: {
      outDir,
      target: 'esnext',
      emptyOutDir: true,
      lib: { entry: join(here, `${name}.ts`), formats: ['iife'], name: `tieout_${name}`, fileName: () => `${name}.js` },
    },
  });
  return readFileSync(join(outDir, `${name}.js`), 'utf8');
}

/** Starts the real server on demo data, signs in, fills the entity's list to a number of rows, and opens it over all dates. */
export async function openOffice({ folder, entity, rows }: Opening): Promise<Office> {
  mkdirSync(folder, { recursive: true });
  const profile = join(folder, 'profile');
  const server = await startServer({ DATA_DIR: join(folder, 'data'), DEMO_TRANSACTIONS: '4000', PORT: String(await freePort()) });
  let { context, page } = await openBrowser(profile, { bypassCSP: true, args: withoutTick });
  await signIn(page, server.url, accountant);
  await synced(page, syncedWithinMs);
  const { userId, clientId } = await placesOf(page, server.url, entity.id);
  // on an answer of the API no app runs: its worker ends, and the copy can be written
  await page.goto(`${server.url}/config.json`);
  await page.addScriptTag({ content: await scriptOf('fill', folder) });
  const filling: Filling = { userId, clientId, entityId: entity.id, rows, seed };
  await page.evaluate(
    (given) => (globalThis as unknown as { tieoutFill: (filling: typeof given) => Promise<number> }).tieoutFill(given),
    filling,
  );
  const open = async (): Promise<void> => {
    await page.addInitScript({ content: await scriptOf('watch', folder) });
    await page.goto(`${server.url}/transactions?entity=${entity.id}&dates=all`);
    await synced(page, syncedWithinMs);
    await page.waitForFunction((least) => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) > least, rows, {
      timeout: 60_000,
    });
  };
  await open();
  return {
    page,
    rows: Number(await page.getByRole('grid', { name: 'Transactions' }).getAttribute('aria-rowcount')) - 1,
    memory: () => memoryOf(profile),
    withTick: async () => {
      await context.close();
      ({ context, page } = await openBrowser(profile, { bypassCSP: true }));
      await open();
      return page;
    },
    close: async () => {
      await context.close();
      await server.stop();
    },
  };
}

async function placesOf(page: Page, url: string, entityId: string): Promise<{ userId: string; clientId: string }> {
  const get = async (path: string): Promise<unknown> => (await page.request.get(`${url}/api${path}`)).json();
  const me = (await get('/users/me')) as { id: string };
  const entity = (await get(`/entities/${entityId}`)) as { client_id: string };
  return { userId: me.id, clientId: entity.client_id };
}

/** A process as this machine lists it. */
interface Process {
  id: string;
  parent: string;
  command: string;
  bytes: number;
}

const pageBytes = 4096;

function readProcess(id: string): Process | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    return {
      id,
      // the name before it may have spaces and brackets
      parent: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '',
      command: readFileSync(`/proc/${id}/cmdline`, 'utf8'),
      bytes: Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * pageBytes,
    };
  } catch {
    // it ended while it was looked at
    return null;
  }
}

/**
 * Resident bytes of the processes that run the pages and workers of a profile's browser: those do not name the profile, but the browser that
 * all of them come from does.
 */
function memoryOf(profile: string): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => readProcess(id) ?? []);
  const parents = new Map(processes.map(({ id, parent }) => [id, parent]));
  const browsers = new Set(processes.flatMap(({ id, command }) => (command.includes(profile) ? id : [])));
  const isOfBrowser = (id: string | undefined): boolean => id !== undefined && (browsers.has(id) || isOfBrowser(parents.get(id)));
  const renderers = processes.filter(({ id, command }) => command.includes('--type=renderer') && isOfBrowser(id));
  if (renderers.length === 0) throw new Error('None of the browser’s processes runs a page');
  return renderers.reduce((sum, { bytes }) => sum + bytes, 0);
}
