// npm run sim -- --seeds N --steps M [--from SEED] [--minutes T]: makes N worlds, each of which its seed decides, lets M things happen
// in each, and checks what must always hold. A failure is told with the fewest steps that show it and the command that shows it again.
// After T minutes no more are begun, and the last line says how many there were.

import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { shrink, type SimResult, simulate, stepsOfSeed } from './run.ts';

const began = performance.now();
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    steps: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    // tells the failures without looking for the fewest steps
    brief: { type: 'string' },
    // ends with the first seed that fails
    first: { type: 'string' },
  },
});
const [seeds, steps, from] = [values.seeds, values.steps, values.from].map(Number) as [number, number, number];
const mostMs = Number(values.minutes) * 60_000;
if (![seeds, steps, from].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('--seeds, --steps and --from take whole numbers from 1 on');
if (!(mostMs > 0)) throw new Error('--minutes takes a number above 0');

/** The failure again with the fewest steps, in words. */
async function tell({ seed, failure }: SimResult): Promise<void> {
  if (values.brief !== undefined) {
    console.log(`Seed ${seed}: ${failure}`);
    return;
  }
  const needed = await shrink(seed, stepsOfSeed(seed, steps));
  const again = await simulate(seed, needed);
  console.log(`\nSeed ${seed}: ${failure}`);
  console.log(`  with ${needed.length} of its ${steps} steps: ${again.failure ?? 'it is gone'}`);
  for (const { kind, one, other } of needed) console.log(`    ${kind} ${one.toFixed(3)} ${other.toFixed(3)}`);
  console.log(`  the latest turns:\n    ${again.recent.slice(-24).join('\n    ')}`);
  console.log(`  again: npm run sim -- --from ${seed} --seeds 1 --steps ${steps}`);
}

/**
 * Most of what a world makes is forgotten at once: more room for it saves a tenth of the time, and another tenth that it is kept, and not
 * asked of the system again. And helpers of one process at that would take the processor of another. Nobody reads where the made-up faults
 * come from: to write it down at each takes a fifteenth of the time.
 */
const execArgv = ['--max-semi-space-size=32', '--min-semi-space-size=32', '--single-threaded-gc', '--stack-trace-limit=0'];

/** What tells what ran from any other: runs of the same one add up. */
interface Built {
  engine: string;
  /** The world around it and the checks: where only a check was mended, the engine is the same. */
  simulator: string;
}

/**
 * Makes one file of engine and simulator: started from its sources each process would be a quarter slower.
 * @throws where it cannot be built.
 */
async function built(folder: string): Promise<Built> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: join(import.meta.dirname, 'part.ts'), outDir: folder, target: 'node20', minify: false },
    ssr: { noExternal: true },
  });
  const modules = [outputs].flat().flatMap((each) => ('output' in each ? each.output : []));
  const files = modules.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : [])).filter((id) => existsSync(id));
  const isSimulator = (id: string): boolean => id.startsWith(import.meta.dirname);
  const hashOf = (some: readonly string[]): string => {
    const texts = some.map((id) => readFileSync(id, 'utf8'));
    return createHash('sha256').update(texts.toSorted().join('\0')).digest('hex').slice(0, 8);
  };
  return { engine: hashOf(files.filter((id) => !isSimulator(id))), simulator: hashOf(files.filter(isSimulator)) };
}

/** Runs all seeds, in as many processes as there are processors: each is given the next one once it is done, for some take much longer. */
async function runAll(folder: string): Promise<SimResult[]> {
  const parts = Math.min(availableParallelism(), seeds);
  const results: SimResult[] = [];
  const children: ChildProcess[] = [];
  let isOver = false;
  let next = from;
  const endAll = (): void => {
    isOver = true;
    for (const each of children) each.kill();
  };
  const giveNext = (child: ChildProcess): void => {
    if (next < from + seeds && performance.now() - began < mostMs) child.send(next++);
    else child.disconnect();
  };
  await Promise.all(
    Array.from(
      { length: parts },
      () =>
        new Promise<void>((resolve, reject) => {
          const child = fork(join(folder, 'part.js'), [String(steps)], { execArgv });
          children.push(child);
          child.on('message', (message) => {
            const result = message as SimResult;
            results.push(result);
            // a long run tells of it at once
            if (result.failure !== null) console.log(`  seed ${result.seed} fails`);
            if (results.length % 500 === 0) console.log(`  ${results.length} of ${seeds}`);
            if (result.failure !== null && values.first !== undefined) endAll();
            else giveNext(child);
          });
          child.on('exit', (code) => {
            if (code === 0 || isOver) return resolve();
            endAll();
            reject(new Error(`A process ended with ${code}`));
          });
          giveNext(child);
        }),
    ),
  );
  return results.sort((a, b) => a.seed - b.seed);
}

async function report(results: readonly SimResult[], { engine, simulator }: Built): Promise<void> {
  const failed = results.filter(({ failure }) => failure !== null);
  for (const result of failed.slice(0, 3)) await tell(result);
  if (failed.length > 3)
    console.log(
      `\nMore seeds that fail: ${failed
        .slice(3, 23)
        .map(({ seed }) => seed)
        .join(', ')}`,
    );
  const sum = (of: (result: SimResult) => number): number => results.reduce((all, result) => all + of(result), 0);
  const trace = results.reduce((mixed, result) => Math.imul(mixed ^ result.trace, 0x01000193) >>> 0, 0x811c9dc5);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const count = results.length === seeds ? seeds : `${results.length} of ${seeds}`;
  const what = `${count} seeds from ${from}, ${steps} steps, ${sum(({ edits }) => edits)} edits, ${sum(({ requests }) => requests)} requests, ${sum(({ turns }) => turns)} turns`;
  console.log(
    `${failed.length === 0 ? 'passed' : `FAILED ${failed.length}`}: ${what}, ${seconds} s, engine ${engine}, simulator ${simulator}, trace ${trace.toString(16).padStart(8, '0')}`,
  );
  if (failed.length > 0 || results.length === 0) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'tieout-sim-'));
try {
  const told = await built(folder);
  await report(await runAll(folder), told);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
