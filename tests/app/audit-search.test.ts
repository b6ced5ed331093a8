import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAuditEntries } from '#contract/audit.ts';
import { auditQuery, daysChange, readAuditSearch } from '#app/screens/audit/audit-search.ts';

test('[AU27] the address holds the filter, and what it cannot mean is left out and named', () => {
  const all = { who: 'u1', noun: 'entities', action: 'update', from: '2026-01-01', to: '2026-01-31', client: 'c', entity: 'e', row: 'a b' };
  expect(readAuditSearch(all)).toEqual({ search: all, dropped: [] });
  const wrong = { noun: 'sessions', action: 'read', from: '2026-02-30', who: 'a b', sort: 'x' };
  expect(readAuditSearch(wrong)).toEqual({ search: {}, dropped: Object.keys(wrong) });
  expect(readAuditSearch({ from: '2026-02-01', to: '2026-01-01' })).toEqual({ search: {}, dropped: ['from', 'to'] });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(all), 'x'), fc.oneof(fc.string(), fc.constantFrom('users', '2026-01-01'))),
      (raw) => {
        const { search } = readAuditSearch(raw);
        expect(readAuditSearch({ ...search })).toEqual({ search, dropped: [] });
        expect(listAuditEntries.input.safeParse(auditQuery(search, 'UTC')).success).toBe(true);
      },
    ),
  );
});

test('[AU28] days are those of the zone, and one chosen beyond the other moves it along', () => {
  const query = auditQuery({ from: '2026-01-01', to: '2026-01-02', who: 'u1' }, 'EST');
  expect(query).toMatchObject({ user_id: 'u1', start_date: '2026-01-01T05:00:00.000Z', end_date: '2026-01-03T04:59:59.999Z' });
  expect(auditQuery({ to: '2026-01-02' }, 'UTC')).toMatchObject({ start_date: undefined, end_date: '2026-01-02T23:59:59.999Z' });
  const search = { from: '2026-01-10', to: '2026-01-20' };
  expect(daysChange(search, { from: '2026-01-25' })).toEqual({ from: '2026-01-25', to: '2026-01-25' });
  expect(daysChange(search, { to: '2026-01-05' })).toEqual({ from: '2026-01-05', to: '2026-01-05' });
  expect(daysChange(search, { to: undefined })).toEqual({ from: '2026-01-10', to: undefined });
});
