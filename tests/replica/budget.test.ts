import { expect, test } from 'vitest';
import { chooseBudget, chosenBudget, overBudget } from '#replica/budget.ts';
import { browserStores } from '#replica/dexie-store.ts';

test('[KD6] the copies on a device may take what was chosen on it, 2 GB where nothing was, and never more than 60 % of what the browser allows', async () => {
  const over = async (usedBytes: number, quotaBytes: number) => overBudget(await chosenBudget(browserStores), { usedBytes, quotaBytes });
  expect(await chosenBudget(browserStores)).toBe(2e9);
  expect([await over(2e9, 100e9), await over(2e9 + 1, 100e9)]).toEqual([null, 2e9]);
  expect([await over(6e8, 1e9), await over(6e8 + 1, 1e9)]).toEqual([null, 6e8]);
  expect([await over(6e5, 1e6), await over(6e5 + 1, 1e6)]).toEqual([null, 6e5]);
  await chooseBudget(browserStores, 5e8);
  expect(await chosenBudget(browserStores)).toBe(5e8);
  expect([await over(5e8, 100e9), await over(5e8 + 1, 100e9)]).toEqual([null, 5e8]);
});
