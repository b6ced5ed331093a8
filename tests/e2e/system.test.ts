import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { buildClient } from '#server/client-build.ts';
import { type Database, openPglite } from '#server/database/open.ts';
import { serverCronJobs } from '#server/jobs/cron-jobs.ts';
import { type Runner, startRunner } from '#server/jobs/runner.ts';
import { queueTask } from '#server/repositories/worker-tasks.ts';
import { demoUsers } from '#server/seed/demo.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { prepareData } from '#server/seed/prepare.ts';
import { realTimers } from '#server/timers.ts';
import { accountant, aFolder, freePort, openBrowser, signIn, signOut } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { aCronJob } from '#tests/support/jobs.ts';
import { aConfig } from '#tests/support/server.ts';

// The server runs in this process, so that its workers do what the test says.

const root = fileURLToPath(new URL('../../', import.meta.url));
const [files, profile] = [aFolder('system-data'), aFolder('system-profile')];
const shots = process.env.SHOTS;
const entity = demoIdOf.entity('Meridian Master Fund LP');
let database: Database;
let app: FastifyInstance;
let runner: Runner;
let context: BrowserContext;
let page: Page;
let url: string;
let finish: () => void = () => undefined;

beforeAll(async () => {
  await buildClient(root);
  database = await openPglite(files.path);
  await prepareData(database.db, { demo: { transactions: 500, now: Date.now() }, admin: null, onProgress: () => undefined });
  const ports = { database, clock: Date.now, timers: realTimers };
  app = await buildApp({ ...ports, config: aConfig({ clientFolder: join(root, 'dist') }) });
  const port = await freePort();
  await app.listen({ port, host: 'localhost' });
  url = `http://localhost:${port}`;
  const broken = aCronJob(
    async () => {
      throw new Error('The place for copies cannot be reached');
    },
    { id: 'copy', name: 'Copy the database', schedule: '0 5 * * 1' },
  );
  runner = startRunner({
    ...ports,
    log: { error: () => undefined },
    cronJobs: [...serverCronJobs, broken],
    workers: [
      {
        kind: 'reconciliation',
        run: async (_task, { tell }) => {
          await tell(40, 100);
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        },
      },
      {
        kind: 'pricing',
        run: async () => {
          throw new Error('There is no price for ABC on 2026-08-31');
        },
      },
    ],
  });
  ({ context, page } = await openBrowser(profile.path));
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
// one test that fails leaves no other without a network
afterEach(() => context?.setOffline(false));
afterAll(async () => {
  finish();
  await context?.close();
  await runner?.stop();
  app?.server.closeAllConnections();
  await app?.close();
  await database?.close();
  for (const folder of [files, profile]) folder.remove();
});

const looksRight = (name: string): Promise<void> => looksRightIn({ context, page }, name);

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const superuser = demoUsers.find(({ is_superuser: isSuperuser }) => isSuperuser) ?? accountant;

describe('the system', () => {
  test('[JB26] who looks after an organization sees versions, what runs and the cron jobs; nobody else finds the screen', async () => {
    await signIn(page, url);
    expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0);
    await page.goto(`${url}/system`);
    await page.getByText('Permission denied, you are not allowed to access /system').first().waitFor();
    await page.goto(`${url}/home`);
    await signOut(page);

    await signIn(page, url, superuser);
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('Nothing runs.').waitFor();
    await row('Exchange integrations').waitFor();
    await row('Forget sign-ins that ran out').getByText('Every hour at :10').waitFor();
    await row('Copy the database').getByText('The place for copies cannot be reached').waitFor();
    await looksRight('system-idle');
    await page.getByText('SFTP', { exact: true }).click();
    await page.getByText('There is no cron job of the type SFTP.').waitFor();
    expect(new URL(page.url()).search).toBe('?type=sftp');
    await page.goBack();
  }, 180_000);

  test('[JB27] a task is followed from its wait to its end without a touch', async () => {
    await page.goto(`${url}/system`);
    const ask = (kind: 'pricing' | 'reconciliation', subject_ids: string[]) =>
      queueTask(database.db, { kind, subject_ids, place: { entity_id: entity }, created_by: null }, Date.now());
    await ask('pricing', ['a']);
    await ask('reconciliation', ['a', 'b', 'c']);
    await ask('reconciliation', ['d']);
    await page.getByRole('button', { name: 'Refresh' }).click();
    runner.wake();
    await row('Reconciliation of 3 accounts').getByText('Running, 40 of 100').waitFor();
    await row('Reconciliation of 1 account').getByText('Waiting').waitFor();
    await row('Pricing of 1 account').getByText('There is no price for ABC on 2026-08-31').waitFor();
    await row('Reconciliation of 3 accounts').filter({ hasText: 'Meridian Master Fund LP' }).waitFor();
    await looksRight('system');
    finish();
    await row('Reconciliation of 3 accounts').getByText('Done').waitFor();
  }, 180_000);

  test('[JB28] what cannot be asked is said in its place, and without a network what was there stays', async () => {
    await page.route(/\/api\/(cron_jobs|worker_tasks)/, (request) => request.fulfill({ status: 503, json: { detail: 'Out of order' } }));
    await page.goto(`${url}/system`);
    await page.getByText('Cron jobs could not be read.').waitFor();
    await page.getByText('Running tasks could not be read.').waitFor();
    expect(await page.getByRole('log').textContent()).not.toContain('available');
    await looksRight('system-failed');
    await page.unroute(/\/api\/(cron_jobs|worker_tasks)/);
    for (const name of ['Running tasks', 'Cron jobs'])
      await page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }).click();
    await row('Forget sign-ins that ran out').waitFor();
    await row('Reconciliation of 3 accounts').getByText('Done').waitFor();
    await context.setOffline(true);
    await expect.poll(() => page.getByText(/There is no network: this is how it was at/).count()).toBe(3);
    await row('Forget sign-ins that ran out').waitFor();
    await row('Reconciliation of 3 accounts').waitFor();
    // whoever looks for faults of accessibility is a debugger, and with it the network comes back
    if (shots) writeFileSync(`${shots}/system-offline.png`, await page.screenshot());
    await context.setOffline(false);
  }, 180_000);

  test('[JB29] nothing is asked any more once the screen is left', async () => {
    // timers of before would not be its own
    await page.clock.install();
    await page.goto(`${url}/system`);
    await row('Forget sign-ins that ran out').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (/worker_tasks|cron_jobs/.test(request.url())) asked += 1;
    });
    // as it is asked while one looks
    await page.clock.runFor(40_000);
    await expect.poll(() => asked).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    asked = 0;
    await page.clock.runFor(40_000);
    expect(asked).toBe(0);
  }, 60_000);
});
