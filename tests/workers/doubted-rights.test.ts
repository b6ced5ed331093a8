import { expect, test } from 'vitest';
import { DoubtedRights } from '#workers/doubted-rights.ts';

test('[SY82] pages are told at once that rights are to be asked anew, once a round however many edits are refused, the rest with the next', () => {
  const told: unknown[] = [];
  let now = 0;
  const doubted = new DoubtedRights({ publish: ({ denied_at }) => void told.push(denied_at) }, () => now);
  const round = (...sendings: boolean[]): unknown[] => {
    now += 1;
    told.splice(0);
    doubted.nextRound();
    for (const isDenied of sendings) doubted.sent({ isDenied });
    return [...told];
  };
  expect(round(false)).toEqual([]);
  expect(round(false, true)).toEqual([2]);
  expect(round(true, true, false)).toEqual([3]);
  // what was refused after that was told
  expect(round(false)).toEqual([4]);
  expect(round(false)).toEqual([]);
});
