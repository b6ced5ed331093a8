// npm run sim -- --seeds N --steps M [--from SEED]: makes N worlds, each of which its seed decides, lets M things happen in each, and
// checks what must always hold. A failure is told with the fewest steps that show it and the command that shows it again.

import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { shrink, type SimResult, simulate, stepsOfSeed } from './run.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    steps: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    // tells the failures without looking for the fewest steps
    brief: { type: 'string' },
    // which of how many processes this is
    part: { type: 'string' },
  },
});
const [seeds, steps, from] = [values.seeds, values.steps, values.from].map(Number) as [number, number, number];
if (![seeds, steps, from].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('--seeds, --steps and --from take whole numbers from 1 on');
/** Seeds run twice to see that they decide everything, of a hundred. */
const twicePerHundred = 1;

async function runPart(part: number, parts: number): Promise<void> {
  for (let seed = from + part; seed < from + seeds; seed += parts) {
    const result = await simulate(seed, steps);
    const isTwice = seed % 100 < twicePerHundred;
    if (isTwice && (await simulate(seed, steps)).trace !== result.trace) result.failure = 'The same seed made two different runs';
    process.send?.(result);
  }
}

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

async function runAll(): Promise<void> {
  const began = performance.now();
  const parts = Math.min(availableParallelism(), seeds);
  const results: SimResult[] = [];
  await Promise.all(
    Array.from(
      { length: parts },
      (_, part) =>
        new Promise<void>((resolve, reject) => {
          const child = fork(import.meta.filename, [...process.argv.slice(2), '--part', `${part}/${parts}`], {
            execArgv: process.execArgv,
          });
          child.on('message', (result) => {
            results.push(result as SimResult);
            if (results.length % 500 === 0) console.log(`  ${results.length} of ${seeds}`);
          });
          child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A process ended with ${code}`))));
        }),
    ),
  );
  results.sort((a, b) => a.seed - b.seed);
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
  const what = `${seeds} seeds from ${from}, ${steps} steps, ${sum(({ edits }) => edits)} edits, ${sum(({ requests }) => requests)} requests, ${sum(({ turns }) => turns)} turns`;
  console.log(
    `${failed.length === 0 ? 'passed' : `FAILED ${failed.length}`}: ${what}, ${seconds} s, trace ${trace.toString(16).padStart(8, '0')}`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

const [part, parts] = (values.part ?? '').split('/').map(Number);
if (part !== undefined && parts !== undefined) await runPart(part, parts);
else await runAll();
