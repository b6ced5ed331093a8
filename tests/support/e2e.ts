import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { findChromium } from './chromium.ts';

/** A port nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

export function aFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `tieout-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}

export interface RunningServer {
  url: string;
  output: () => string;
  /** Ends the process with a signal and waits until it is gone. @returns its exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** This machine's environment as a person's shell has it, without what the test runner adds. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV|DEV|PROD|SSR|MODE|BASE_URL|DATABASE_URL)/.test(name)),
  );
}

const asShipped = ['--import', 'tsx'];
/** A Node that reads types by itself starts the same files in a third less time. */
const quickest = 'typescript' in process.features && process.features.typescript !== false ? [] : asShipped;

/** Starts the server as `npm start` does, or quicker where this Node can, and waits until it says it is ready. */
export async function startServer(env: Record<string, string>, loader = quickest): Promise<RunningServer> {
  const port = env.PORT ?? String(await freePort());
  const child: ChildProcess = spawn(process.execPath, [...loader, 'src/server/main.ts'], {
    env: { ...ownEnvironment(), ...env, PORT: port, HOST: 'localhost' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text.toString();
      if (output.includes('is ready')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => reject(new Error(`The server ended with code ${code}:\n${output}`)));
  });
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** The same exactly as `npm start` does. */
export function startAsShipped(env: Record<string, string>): Promise<RunningServer> {
  return startServer(env, asShipped);
}

export interface BrowserOptions {
  viewport?: { width: number; height: number };
  bypassCSP?: boolean;
  hasTouch?: boolean;
  serviceWorkers?: 'allow' | 'block';
  args?: string[];
}

/** A browser on a profile folder: what it keeps is there again when the same folder is opened later. */
export async function openBrowser(
  profile: string,
  { args = [], ...options }: BrowserOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const launch = await findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...launch,
    args: [...launch.args, ...args],
    headless: true,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page };
}

export const accountant = { email: 'accountant@tieout.example', password: 'tieout-demo-ledger-2026' };

export async function signIn(page: Page, url: string, user = accountant): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/home`);
}

/** Signs out, and waits until that is done: the address is there before. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
}

/** Number of rows the grid says the filter has, the header not counted, once it knows. */
export async function rowCount(page: Page): Promise<number> {
  return Number(await page.locator('[role=grid]:not([aria-rowcount="-1"])').getAttribute('aria-rowcount')) - 1;
}

/** Waits until every cell that is drawn says what it has to: of a list that just came some are written after it shows. */
export async function rowsWritten(page: Page): Promise<void> {
  await page.locator('[data-row] .bone').first().waitFor({ state: 'detached' });
}

/** Waits until a list shows some rows. @throws with what the page says in their place. */
export async function rowsShown(page: Page, withinMs = 60_000): Promise<void> {
  await page
    .getByRole('row')
    .nth(3)
    .waitFor({ timeout: withinMs })
    .catch(async (cause: unknown) => {
      throw new Error(`No rows came. ${page.url()} says: ${await page.locator('body').innerText()}`, { cause });
    });
}

/** Waits until the bar says how syncing stands in words like these. On a narrow screen only screen readers are told. */
export async function isSaying(page: Page, words: RegExp, withinMs: number): Promise<void> {
  await page.getByRole('status').filter({ hasText: words }).first().waitFor({ timeout: withinMs, state: 'attached' });
}

/** Waits until the copy in the browser is as the server is. */
export async function synced(page: Page, withinMs = 60_000): Promise<void> {
  await isSaying(page, /^Synced \d/, withinMs);
}

/** Waits until the bar says that the server cannot be reached. */
export async function offline(page: Page, withinMs = 60_000): Promise<void> {
  await isSaying(page, /^Offline/, withinMs);
}
