import { describe, expect, test } from 'vitest';
import { scenarios } from './crash-scenes.ts';
import { fates, meetEach, requestsIn } from './fates.ts';

// Each request of a routine is lost, or has its answer lost, or arrives twice or after others: one at a time.

const cases = scenarios.flatMap((scenario) => scenario.kinds.map((kind) => ({ scenario, kind, what: scenario.what })));
const counted = await Promise.all(cases.map(async (each) => ({ ...each, requests: await requestsIn(each.scenario, each.kind) })));
const asking = counted.filter(({ requests }) => requests > 0);

test('[SM26] twelve routines and more ask something of the server', () => {
  expect(asking.length).toBeGreaterThan(12);
});

describe.each(asking)('$what, $kind', ({ scenario, kind, requests }) => {
  for (const { fate, what } of fates)
    test(
      `[SM26] each request of it ${what}, and nothing is lost, doubled or left out`,
      () => meetEach(scenario, kind, { requests, fate }),
      240_000,
    );
});
