import { expect, test } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { Quiet } from '#workers/quiet.ts';

const busy = (retryAfterMs?: number): ApiError => new ApiError({ code: 'throttled', detail: 'Request was throttled', retryAfterMs });

test('[SY31] a server is left alone for as long as it says, ten minutes at most, by a clock that may be set right meanwhile', () => {
  let now = 1_000_000;
  const quiet = new Quiet(() => now);
  quiet.heedForAll(busy());
  quiet.heedForAll(new ApiError({ code: 'conflict', detail: 'In flight', retryAfterMs: 5_000 }));
  expect(quiet.leftMs).toBe(0);
  quiet.heedForAll(busy(5_000));
  quiet.heedForAll(busy(2_000));
  expect(quiet.leftMs).toBe(5_000);
  expect(() => quiet.keep('listClients')).toThrow(expect.objectContaining({ code: 'throttled', retryAfterMs: 5_000 }));
  now += 5_000;
  expect(quiet.leftMs).toBe(0);
  quiet.heedForAll(busy(86_400_000));
  expect(quiet.leftMs).toBe(600_000);
  // it was a day ahead: what it wrote says nothing, and does not outlast what comes next
  now -= 86_400_000;
  expect(quiet.leftMs).toBe(0);
  quiet.heedForAll(busy(3_000));
  expect(quiet.leftMs).toBe(3_000);
});

test('[SY66] what asks to wait with one thing alone is left alone with that, and asked all else', () => {
  let now = 1_000_000;
  const quiet = new Quiet(() => now);
  quiet.heed('listPrices', busy(5_000));
  expect(quiet.leftMs).toBe(0);
  expect(() => quiet.keep('listClients')).not.toThrow();
  expect(() => quiet.keep('listPrices')).toThrow(expect.objectContaining({ code: 'throttled', retryAfterMs: 5_000, isUntried: true }));
  now += 5_000;
  expect(() => quiet.keep('listPrices')).not.toThrow();
});
