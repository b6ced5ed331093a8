import { describe, expect, test } from 'vitest';
import { auditActions, auditedNouns } from '#contract/audit.ts';
import { auditCells, auditFileName, auditHeads } from '#domain/audit-file.ts';
import { changesOf, entryWords, personWords, placeWords } from '#domain/audit-words.ts';
import { anAuditEntry } from '#tests/support/audit-entry.ts';

const names = { zone: 'EST', nameOf: (id: string) => ({ s1: 'BTC', u2: 'bob@example.org' })[id] } as const;

/** `label: before > after` of each field. */
const told = (values: Parameters<typeof anAuditEntry>[0]) =>
  changesOf(anAuditEntry(values), names).map(({ label, before, after }) => `${label}: ${before} > ${after}`);

describe('the words of the audit trail', () => {
  test('[AU23] an entry is a sentence, of every table and action', () => {
    const words = (noun: string, action: (typeof auditActions)[number], title: string | null = 'X') =>
      entryWords(anAuditEntry({ noun, action, title }));
    expect(words('entities', 'update', 'Alpha Fund')).toBe('Changed entity Alpha Fund');
    expect(words('organization_members', 'delete', 'ann@example.org')).toBe('Removed member ann@example.org');
    expect(words('client_assignments', 'create', 'ann@example.org')).toBe('Assigned ann@example.org to the client');
    expect(words('entity_assignments', 'delete', 'ann@example.org')).toBe('Unassigned ann@example.org from the entity');
    expect(words('archived_assets', 'create', 'DOGE')).toBe('Archived asset DOGE');
    expect(entryWords(anAuditEntry({ noun: 'archived_assets', action: 'create', title: 'DOGE', after: { is_spam: true } }))).toBe(
      'Marked DOGE as spam',
    );
    expect(words('transactions', 'update', '12345.500000001 BTC')).toBe('Changed transaction 12,345.500000001 BTC');
    expect(words('transaction_matches', 'create', null)).toBe('Created match');
    expect(words('period_locks', 'delete', null)).toBe('Deleted period locks');
    expect(words('clients', 'update', "$& $1 {} $'")).toBe("Changed client $& $1 {} $'");
    for (const noun of auditedNouns) for (const action of auditActions) expect(words(noun, action)).toMatch(/^[A-Z][a-z]+ed [^{}_]*X/);
  });

  test('[AU24] who, and where, as far as they have names', () => {
    expect(personWords(anAuditEntry())).toBe('ann@example.org');
    expect(personWords(anAuditEntry({ user_id: null, user_email: null }))).toBe('System');
    expect(personWords(anAuditEntry({ user_email: null }))).toBe('Unknown user');
    expect(placeWords(anAuditEntry())).toBe('Alpha Fund, Alpha');
    expect(placeWords(anAuditEntry({ entity_name: null }))).toBe('Alpha');
    expect(placeWords(anAuditEntry({ entity_name: null, client_name: null }))).toBe('–');
  });

  test('[AU25] before and after are told as the app writes such values', () => {
    const before = {
      match_state: 'PENDING',
      quantity: '-1234.50',
      trx_date: '2026-03-04T05:06:07.089Z',
      security_id: null,
      unpriced_trx: true,
    };
    const after = {
      match_state: 'APPROVED',
      quantity: '0.000000000000000001',
      trx_date: '2026-03-04T04:59:00.000Z',
      security_id: 's1',
      unpriced_trx: false,
    };
    expect(told({ noun: 'transactions', before, after })).toEqual([
      'Date: 03/04/2026 00:06 EST > 03/03/2026 23:59 EST',
      'Match: Pending > Transfer',
      'Quantity: (1,234.5) > 0.000000000000000001',
      'Security: None > BTC',
      'Unpriced: Yes > No',
    ]);
    expect(
      told({ noun: 'transaction_matches', before: { decided_by: null, state: 'PENDING' }, after: { decided_by: 'u2', state: 'REJECTED' } }),
    ).toEqual(['State: Pending > Not a transfer', 'Decided by: None > bob@example.org']);
    // the state of an entity is where it is
    expect(told({ before: { state: null, trx_type_id: 2 }, after: { state: 'NY', trx_type_id: 1 } })).toEqual([
      'State: None > NY',
      'Type: Withdrawal > Deposit',
    ]);
    expect(told({ noun: 'users', before: { password: 'set' }, after: { password: 'changed' } })).toEqual(['Password: Set > Changed']);
    expect(told({ noun: 'roles', before: { permissions: [] }, after: { permissions: ['a', 'b'], settings: { n: 1 } } })).toEqual([
      'Permissions: None > a, b',
      'Settings: None > N: 1',
    ]);
    const made = { id: 'e1', entity_name: 'Alpha Fund', city: null, is_inactive: false, created_at: '2026-03-04T05:06:07.089Z' };
    expect(told({ action: 'create', before: null, after: made })).toEqual(['Entity name: null > Alpha Fund', 'Inactive: null > No']);
    expect(told({ action: 'delete', before: made, after: null })).toEqual(['Entity name: Alpha Fund > null', 'Inactive: No > null']);
  });

  test('[AU26] a line of the file says all of it, with the zone and the exact moment', () => {
    const entry = anAuditEntry({ before: { city: null, fund_id: '1' }, after: { city: 'Oslo', fund_id: '2' } });
    const line = Object.fromEntries(auditHeads('EST').map((head, index) => [head, auditCells(entry, names)[index]]));
    expect(line).toEqual({
      'When (EST)': '09/14/2026 08:05',
      'Moment (UTC)': '2026-09-14T13:05:07.000Z',
      Who: 'ann@example.org',
      What: 'Changed entity Alpha Fund',
      Action: 'Changed',
      Kind: 'entity',
      Client: 'Alpha',
      Entity: 'Alpha Fund',
      Before: 'City: None; Fund ID: 1',
      After: 'City: Oslo; Fund ID: 2',
      Row: 'e1',
      Entry: '1',
    });
    expect([auditFileName({}), auditFileName({ from: '2026-01-01' }), auditFileName({ from: '2026-01-01', to: '2026-01-31' })]).toEqual([
      'audit-trail-all-dates.csv',
      'audit-trail-2026-01-01-onwards.csv',
      'audit-trail-2026-01-01-2026-01-31.csv',
    ]);
  });
});
