import { expect, test } from 'vitest';
import { Unreadable } from '#workers/unreadable.ts';

test('[SY74] that rows could not be read is told for as long as nothing was heard of them since', () => {
  let now = 1_000;
  const unreadable = new Unreadable(() => now);
  expect(unreadable.text).toBeNull();
  unreadable.note('accounts', [{ id: 'a' }, { id: 'b', other: 1 }]);
  unreadable.note('accounts', [{ id: 'b' }]);
  unreadable.heard('transactions', [{ id: 'a' }]);
  expect(unreadable.text).toBe('2 rows of accounts could not be read: here they are missing, or as they were before.');
  unreadable.note('saved_views', [{ id: 'v' }]);
  expect(unreadable.text).toMatch(/^2 rows of accounts and 1 row of saved views could not be read: here they are/);
  unreadable.heard('accounts', [{ id: 'a' }, { id: 'b' }]);
  expect(unreadable.text).toBe('1 row of saved views could not be read: here it is missing, or as it was before.');
  unreadable.heard('saved_views', [{ id: 'v' }]);
  expect(unreadable.text).toBeNull();
  // one that does not even say which it is
  unreadable.note('accounts', [{ name: 'x' }, null]);
  unreadable.heard('accounts', [{ id: 'a' }]);
  expect(unreadable.text).toMatch(/^2 rows of accounts/);
  // it went, or is on this device no more: it does not come again
  now += 26 * 3_600_000;
  expect(unreadable.text).toBeNull();
});
