import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** How to start the browser of this machine. */
export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

const args = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The same browser without its own windows and pages takes half the time to start, and does not tell how much memory a page takes. */
const shell = '/usr/lib/chromium/chromium-headless-shell';
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome-stable', '/usr/bin/google-chrome'];
const cache = join(process.cwd(), 'node_modules/.cache/chromium');

function runs(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { env, timeout: 20_000 }).status === 0;
}

async function unpack(from: string, to: string, mode = 0o644): Promise<void> {
  const unfinished = `${to}.${process.pid}`;
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(unfinished, { mode }));
  renameSync(unfinished, to);
}

/** Unpacks the browser that came with the development packages, with its own libraries and fonts where the machine has none. */
async function bundled(): Promise<ChromiumLaunch> {
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../../bin');
  const executablePath = join(cache, 'chromium');
  if (!existsSync(executablePath)) {
    mkdirSync(cache, { recursive: true });
    for (const part of ['al2023', 'swiftshader', 'fonts']) {
      await unpack(join(bin, `${part}.tar.br`), join(cache, `${part}.tar`));
      if (spawnSync('tar', ['xf', `${part}.tar`], { cwd: cache }).status !== 0) throw new Error(`Cannot unpack ${part}.tar`);
    }
    await unpack(join(bin, 'chromium.br'), executablePath, 0o755);
  }
  const env: Record<string, string> = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (!runs(executablePath)) env.LD_LIBRARY_PATH = join(cache, 'lib');
  // without fonts text has no size and nothing can be clicked
  const fonts = join(cache, 'fonts.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><dir>${join(cache, 'fonts')}</dir><cachedir>${join(cache, 'font-cache')}</cachedir></fontconfig>`,
  );
  env.FONTCONFIG_FILE = fonts;
  if (!runs(executablePath, env)) throw new Error('No Chromium runs here. Install one, or set CHROMIUM_PATH to one.');
  return { executablePath, args, env };
}

/** @param installed browsers the machine may have, the preferred one first. */
async function find(installed: readonly string[]): Promise<ChromiumLaunch> {
  const candidates = [process.env.CHROMIUM_PATH, ...(process.env.CHROMIUM_BUNDLED ? [] : installed)];
  const own = candidates.find((path): path is string => path !== undefined && runs(path));
  return own ? { executablePath: own, args } : bundled();
}

let found: Promise<ChromiumLaunch> | undefined;

/** Finds a browser, once: `CHROMIUM_PATH`, then one the machine has, then the one among the development packages. */
export function findChromium(): Promise<ChromiumLaunch> {
  found ??= find([shell, ...whole]);
  return found;
}

/** The same, but rather a browser that tells how much memory a page takes. */
export function findWholeChromium(): Promise<ChromiumLaunch> {
  return find(whole);
}
