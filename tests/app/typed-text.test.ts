import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restLeft, searchDelayMs } from '#app/ui/use-debounced.ts';

test('[GR59] a letter the page hears of late rests only for what is left, at once where nothing is', () => {
  expect(restLeft(1_000, 1_000)).toBe(searchDelayMs);
  expect(restLeft(1_000, 1_040)).toBe(searchDelayMs - 40);
  expect(restLeft(1_000, 1_000 + searchDelayMs)).toBe(0);
  expect(restLeft(1_000, 9_000)).toBe(0);
});

test('[GR59] the whole rest lies between the letter and its end, and a clock that runs ahead makes it no longer', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: -500, max: 500 }), (typedAt, late) => {
      const left = restLeft(typedAt, typedAt + late);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(searchDelayMs);
      if (late >= 0) expect(late + left).toBeGreaterThanOrEqual(searchDelayMs);
    }),
  );
});
