import { expect, test } from 'vitest';
import { askToLast, isLasting, type KeptPlace, wishToLast } from '#app/lasting-storage.ts';

/** A place of a browser that promises, or does not, and how often it was asked. */
function aPlace(promises: boolean, persisted = false) {
  const place = { asked: 0, persisted: async () => persisted, persist: async () => promises };
  place.persist = async () => {
    place.asked += 1;
    persisted = promises;
    return promises;
  };
  return place satisfies KeptPlace;
}

test('[KD11] an installed app has the browser promise to clear nothing, of edits neither; what was promised is not asked for again', async () => {
  const [own, apart] = [aPlace(true), aPlace(true, true)];
  await wishToLast(false, async () => [own, apart]);
  expect([own.asked, await isLasting([own, apart])]).toEqual([0, false]);
  await wishToLast(true, async () => [own, apart]);
  await wishToLast(true, async () => [own, apart]);
  expect([own.asked, apart.asked, await isLasting([own, apart])]).toEqual([1, 0, true]);
});

test('[KD11] where the browser promises one place alone, or has none, nothing is called lasting, and nothing fails', async () => {
  const [own, apart] = [aPlace(true), aPlace(false)];
  expect([await askToLast([own, apart]), await isLasting([own, apart])]).toEqual([false, false]);
  expect([await askToLast([]), await isLasting([])]).toEqual([false, false]);
  await wishToLast(true, () => Promise.reject(new Error('none here')));
});
