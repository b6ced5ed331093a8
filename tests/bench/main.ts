/*
 * The benchmark: how fast the column engine is beside everything that could be taken instead.
 *
 *   npm run bench                            100,000 and 1,000,000 rows, all engines, about ten minutes on two cores
 *   npm run bench -- --rows 10000000         above a million rows only ours is run
 *   npm run bench -- --help                  the other options
 *
 * Every engine runs in a dedicated worker of a headless Chromium, draws the same seeded ledger (workload/), is opened again from what it
 * stored in a new browser, answers the same questions, and is compared with a plain oracle before it is timed; one wrong answer ends the
 * run. What is promised is in gates.ts; a promise that is missed at a million rows makes the run fail, and so does one that a run of all
 * engines did not measure. What is promised of the screen `npm run bench:ui` decides. Figures vary between machines, ratios of one run are
 * what counts.
 *
 *   engines/   one adapter an engine, with the choices made for it      page/   what runs in the browser
 *   workload/  ledger, questions, oracle                                measure.ts, gates.ts, report.ts   what is measured, promised, printed
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, usage } from './options.ts';

const here = import.meta.dirname;

function runOrExit(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: join(here, '../..') });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const options = readOptions(process.argv.slice(2));
const isInstalled = existsSync(join(here, 'node_modules/.package-lock.json'));
console.log(
  isInstalled
    ? 'bench: the other engines are installed in tests/bench/node_modules'
    : 'bench: installs the other engines into tests/bench/node_modules (npm ci --prefix tests/bench), once',
);
// One of the packages asks for a newer Node than ours, but runs in the browser alone.
if (!isInstalled) runOrExit('npm', ['ci', '--prefix', 'tests/bench', '--no-audit', '--no-fund', '--engine-strict=false']);
if (!options.skipsTypes) runOrExit(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'tests/bench']);

const { runBench } = await import('./run.ts');
const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const { isPassed, figures } = await runBench(options, folder);
if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
process.exit(isPassed ? 0 : 1);
