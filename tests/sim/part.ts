// One of the processes of `npm run sim`: runs each seed it is given, and tells what came of it to the one that started it.

import { simulate } from './run.ts';

const steps = Number(process.argv[2]);
/** Two seeds of so many, one with each kind of server, are run twice to see that they decide everything. */
const twiceEvery = 200;

async function run(seed: number): Promise<void> {
  const result = await simulate(seed, steps);
  const isTwice = seed % twiceEvery < 2;
  if (isTwice && (await simulate(seed, steps)).trace !== result.trace) result.failure = 'The same seed made two different runs';
  process.send?.(result);
}

// a fault ends the process
process.on('message', (seed: number) => void run(seed));
