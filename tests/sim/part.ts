// One of the processes of `npm run sim`: every second seed or so, each told to the one that started it.

import { simulate } from './run.ts';

const [from, end, every, steps] = process.argv.slice(2).map(Number) as [number, number, number, number];
/** Seeds run twice to see that they decide everything, of a hundred. */
const twicePerHundred = 1;

for (let seed = from; seed < end; seed += every) {
  const result = await simulate(seed, steps);
  const isTwice = seed % 100 < twicePerHundred;
  if (isTwice && (await simulate(seed, steps)).trace !== result.trace) result.failure = 'The same seed made two different runs';
  process.send?.(result);
}
