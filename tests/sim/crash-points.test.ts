import { describe, expect, test } from 'vitest';
import { ends } from './crash-ends.ts';
import { cutsIn, cutThrough } from './crash-points.ts';
import { scenarios } from './crash-scenes.ts';
import { removalScenarios } from './removal-scenes.ts';

// Each of a routine's port calls is one where everything ends, in each way: at a server with a feed.

const here = [...scenarios, ...removalScenarios].filter(({ kinds }) => kinds.includes('feed'));

describe.each(here)('$what', (scenario) => {
  test('[SM24] is cut through in every state it goes through', async () => {
    expect([...(await cutsIn(scenario, 'feed')).met]).toEqual(expect.arrayContaining([...scenario.meets]));
  }, 60_000);

  for (const end of ends)
    test(`[SM2] ${end.what}, and nothing is lost, doubled or left out`, () => cutThrough(scenario, 'feed', end), 240_000);
});
