import { expect, test } from 'vitest';
import { Nudges } from '#workers/nudges.ts';

const minuteMs = 60_000;

test('[SY65] a stream that ended is opened again though the clock was put back', async () => {
  let [now, opened] = [1_000_000_000, 0];
  let ended: Promise<void> = Promise.resolve();
  const nudges = new Nudges({
    fetch: () => {
      opened += 1;
      return Promise.resolve(new Response(null, { status: 503 }));
    },
    now: () => now,
    random: () => 0,
    pause: () => (ended = Promise.resolve()),
    apiBaseUrl: 'http://server',
    onNudge: () => undefined,
  });
  const wait = async (): Promise<void> => {
    nudges.ensure();
    for (let turn = 0; turn < 20; turn += 1) await ended;
  };
  await wait();
  now -= 24 * 60 * minuteMs;
  for (let minute = 0; minute < 60; minute += 1) {
    now += minuteMs;
    await wait();
  }
  expect(opened).toBeGreaterThan(1);
});
