import { expect, test } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { Quiet } from '#workers/quiet.ts';

test('[SY31] a server is left alone for as long as it says, ten minutes at most, by a clock that may be set right meanwhile', () => {
  let now = 1_000_000;
  const quiet = new Quiet(() => now);
  const busy = (retryAfterMs?: number) => new ApiError({ code: 'throttled', detail: 'Request was throttled', retryAfterMs });
  quiet.heed(busy());
  quiet.heed(new ApiError({ code: 'conflict', detail: 'In flight', retryAfterMs: 5_000 }));
  expect(quiet.leftMs).toBe(0);
  quiet.heed(busy(5_000));
  quiet.heed(busy(2_000));
  expect(quiet.leftMs).toBe(5_000);
  expect(() => quiet.keep()).toThrow(expect.objectContaining({ code: 'throttled', retryAfterMs: 5_000 }));
  now += 5_000;
  expect(quiet.leftMs).toBe(0);
  quiet.heed(busy(86_400_000));
  expect(quiet.leftMs).toBe(600_000);
  // it was a day ahead: what it wrote says nothing, and does not outlast what comes next
  now -= 86_400_000;
  expect(quiet.leftMs).toBe(0);
  quiet.heed(busy(3_000));
  expect(quiet.leftMs).toBe(3_000);
});
