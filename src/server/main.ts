import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { buildClient } from './client-build.ts';
import type { ServerConfig } from './config.ts';
import { openPglite, openPostgres } from './database/open.ts';
import { serverCronJobs } from './jobs/cron-jobs.ts';
import { startRunner } from './jobs/runner.ts';
import { consoleLogger } from './log.ts';
import { oauthSettings } from './oauth-settings.ts';
import { prepareData } from './seed/prepare.ts';
import { stopperOf } from './stopping.ts';
import { realTimers } from './timers.ts';

// The composition root: the one file of the server that reads the environment, the clock and the process.

const env = process.env;
const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

function wholeNumber(name: string, fallback: number, most: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Error(`${name} must be a whole number from 0 to ${most}, not "${text}"`);
  return value;
}

function listOf(name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Addresses, networks such as 10.0.0.0/8, and the names `loopback`, `linklocal` and `uniquelocal`. */
function proxiesOf(name: string): string[] {
  const proxies = listOf(name);
  const wrong = proxies.find((proxy) => {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(proxy)) return false;
    const [address = '', ...lengths] = proxy.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(address)];
    // all addresses there are (a length of 0) would be everybody's word
    return bits === undefined || lengths.length > 1 || lengths.some((length) => !/^[1-9]\d{0,2}$/.test(length) || Number(length) > bits);
  });
  if (wrong !== undefined) throw new Error(`${name} must list addresses or networks such as 10.0.0.0/8, not "${wrong}"`);
  return proxies;
}

async function start(): Promise<void> {
  // whoever read our lines may be gone; that must not keep the server from closing cleanly
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const port = wholeNumber('PORT', 8000, 65_535);
  const host = env.HOST ?? 'localhost';
  const demoTransactions = wholeNumber('DEMO_TRANSACTIONS', 25_000, 10_000_000);
  const oauth = oauthSettings(
    { issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID, clientSecret: env.OIDC_CLIENT_SECRET },
    env.PUBLIC_URL || `http://localhost:${port}`,
  );
  const config: ServerConfig = {
    corsOrigins: listOf('CORS_ORIGINS'),
    trustedProxies: proxiesOf('TRUST_PROXY'),
    isSecure: env.PUBLIC_URL?.startsWith('https://') ?? false,
    runtime: {
      api_base_url: env.API_BASE_URL ?? '/api',
      environment_name: env.ENVIRONMENT_NAME ?? '',
      support_url: env.SUPPORT_URL ?? null,
      oauth: oauth && { label: env.OIDC_LABEL || oauth.issuer.host },
    },
    oauth,
    clientFolder: resolve(root, 'dist'),
    signInsPerMinute: wholeNumber('SIGN_INS_PER_MINUTE', 20, 100_000),
    version,
  };
  const building = buildClient(root);
  // a failed build is reported where it is awaited, after the database had its time to open
  building.catch(() => undefined);
  const database = env.DATABASE_URL
    ? await openPostgres(env.DATABASE_URL)
    : await openPglite(resolve(env.DATA_DIR ?? resolve(root, '.data')));
  try {
    const signIns = await prepareData(database.db, {
      demo: env.SEED === 'none' ? null : { transactions: demoTransactions, now: Date.now() },
      admin: env.ADMIN_EMAIL && env.ADMIN_PASSWORD ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD } : null,
      onProgress: (text) => console.log(text),
    });
    await building;
    const [clock, timers, log] = [Date.now, realTimers, consoleLogger()];
    const app = await buildApp({ database, config, clock, timers, logger: log });
    const runner = startRunner({ database, clock, timers, log, cronJobs: serverCronJobs, workers: [] });
    const close = stopperOf(app);
    await app.listen({ port, host });
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) return;
      isStopping = true;
      console.log('stopping');
      // what is under way ends before the database it needs does
      void Promise.all([close(), runner.stop()])
        .then(() => database.close())
        .then(() => process.exit(0));
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    // npm passes a SIGTERM to the shell between us, which ends without a word: a parent that is gone means stop
    const parent = process.ppid;
    if (env.npm_lifecycle_event !== undefined) setInterval(() => process.ppid !== parent && stop(), 500).unref();
    const ready = `\nTieout ${version} is ready: http://localhost:${port}  (the API is at /api, its description at /api/openapi.json)`;
    // one write: who waits for the first line has the others too
    console.log([ready, ...signIns].join('\n'));
  } catch (error) {
    await database.close();
    throw error;
  }
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
