import { expect, test } from 'vitest';
import { isMeDue, meFreshMs } from '#app/session/use-me.ts';

test('[SY82] what the person may do is asked once it held long enough, and at once where rights changed or an edit was refused since', () => {
  const asked = { at: 1_000, perm_version: 4, denied_at: null };
  const refused = { ...asked, denied_at: 900 };
  expect(isMeDue(null, asked)).toBe(true);
  expect(isMeDue(asked, { ...asked, at: 1_001 })).toBe(false);
  expect(isMeDue(asked, { ...asked, at: 1_000 + meFreshMs })).toBe(true);
  expect(isMeDue(asked, { ...asked, perm_version: 5 })).toBe(true);
  expect(isMeDue(asked, refused)).toBe(true);
  // one refusal is asked after once
  expect(isMeDue(refused, { ...refused, at: 1_001 })).toBe(false);
  expect(isMeDue(refused, { ...refused, denied_at: 1_002 })).toBe(true);
});
