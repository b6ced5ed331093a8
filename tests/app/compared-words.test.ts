import { describe, expect, test } from 'vitest';
import { comparedText, conflictWords, fateWords } from '#app/screens/outbox/compared-words.ts';
import { showOnIcon } from '#app/icon-badge.ts';

const names = {
  zone: 'EST' as const,
  ticker: (id: string) => (id === 's1' ? 'BTC' : undefined),
  place: (id: string) => ({ o1: 'Harbor', c1: 'Alpha' })[id],
};

describe('a conflict in words', () => {
  test.each([
    ['match_state', 'APPROVED', 'Transfer'],
    ['match_state', null, 'None'],
    ['quantity', '-1234.5', '(1,234.5)'],
    ['security_id', 's1', 'BTC'],
    ['security_id', 's2', 's2'],
    ['security_id', null, 'Unidentified'],
    ['trx_type_id', 1, 'Deposit'],
    ['trx_date', '2026-09-14T12:00:00.000Z', '09/14/2026 07:00 EST'],
    ['search', 'unpriced=only&dates=all', 'unpriced: only; dates: all'],
    ['search', 'type=13,3&match=not:PENDING&security=s1,s2', 'type: Airdrop, Trade; match: not Pending; security: BTC, s2'],
    ['search', 'type=99&quantity=>100', 'type: Unknown (99); quantity: >100'],
    ['search', '', 'None'],
    ['name', 'Quarter end', 'Quarter end'],
    ['new_field', 3, '3'],
  ])('[CF27] the value of %s that is %s reads %s', (name, value, text) => expect(comparedText(name, value, names)).toBe(text));

  test('[CF27] what becomes of a field that needs no decision is said beside it', () => {
    const field = { name: 'search', base: 'a', mine: 'a', theirs: 'a', isOpen: false };
    expect(fateWords({ ...field, theirs: 'b' })).toBe('Stays if you keep mine');
    expect(fateWords({ ...field, mine: 'b' })).toBe('Goes if you take theirs');
    expect(fateWords({ ...field, mine: 'b', theirs: 'c', isOpen: true })).toBeNull();
  });

  test('[CF27] each decision says what it does, also where a side deleted the row, and where both decided alike', () => {
    const row = { name: 'a' };
    const of = (changes: object) => conflictWords({ base: row, mine: row, theirs: row, isChangeAlone: false, fields: [], ...changes });
    expect(of({})).toMatch(/^Keep mine sends your edit over theirs/);
    expect(of({ theirs: null })).toMatch(/deleted this meanwhile\. Keep mine makes it again/);
    expect(of({ theirs: null, isChangeAlone: true })).toMatch(/nothing left to change\. Keep mine asks the server once more/);
    expect(of({ mine: null })).toMatch(/Keep mine deletes it all the same/);
    const decision = { name: 'match_state', base: 'PENDING', mine: 'APPROVED', theirs: 'APPROVED', isOpen: true };
    expect(of({ fields: [decision] })).toMatch(/perhaps with another counterpart/);
    expect(of({ fields: [{ ...decision, theirs: 'REJECTED' }] })).toMatch(/^Keep mine sends/);
  });
});

test('[OS16] the icon of the app shows how many edits wait, nothing for none, and does without where it cannot', async () => {
  const shown: (number | null)[] = [];
  const icon = {
    setAppBadge: async (count: number) => void shown.push(count),
    clearAppBadge: async () => void shown.push(null),
  };
  for (const count of [3, 1, 0]) showOnIcon(icon, count);
  expect(shown).toEqual([3, 1, null]);
  showOnIcon({}, 2);
  showOnIcon({}, 0);
  showOnIcon({ setAppBadge: () => Promise.reject(new Error('not installed')) }, 2);
});
