import { expect, test } from 'vitest';
import { simulate } from './run.ts';

// A taste of what `npm run sim` runs thousands of.

test('[SM1] in worlds of faults nothing is lost, doubled, reordered or left out, and in the end every copy is the server’s', async () => {
  let guestEffects = 0;
  for (let seed = 1; seed <= 24; seed += 1) {
    const result = await simulate(seed, 120);
    expect(result).toMatchObject({ seed, failure: null });
    guestEffects += result.guestEffects;
  }
  // who shares a browser gets their work done, too
  expect(guestEffects).toBeGreaterThan(0);
}, 120_000);

test('[SM7] a seed decides everything: run again it is the same run', async () => {
  const [one, again, other] = [await simulate(77, 80), await simulate(77, 80), await simulate(78, 80)];
  expect(again).toEqual(one);
  expect(other.trace).not.toBe(one.trace);
});
