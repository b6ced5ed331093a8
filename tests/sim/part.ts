// One of the processes of `npm run sim`: every second seed or so, each told to the one that started it.

import { simulate } from './run.ts';

const [from, end, every, steps] = process.argv.slice(2).map(Number) as [number, number, number, number];
/** Two seeds of so many, one with each kind of server, are run twice to see that they decide everything. */
const twiceEvery = 200;

for (let seed = from; seed < end; seed += every) {
  const result = await simulate(seed, steps);
  const isTwice = seed % twiceEvery < 2;
  if (isTwice && (await simulate(seed, steps)).trace !== result.trace) result.failure = 'The same seed made two different runs';
  process.send?.(result);
}
