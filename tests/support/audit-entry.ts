import type { AuditEntry } from '#contract/audit.ts';

/** An entry as the wire has it; tests name only what they are about. */
export function anAuditEntry(values: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: '1',
    at: '2026-09-14T13:05:07.000Z',
    user_id: 'u1',
    user_email: 'ann@example.org',
    organization_id: 'o1',
    client_id: 'c1',
    client_name: 'Alpha',
    entity_id: 'e1',
    entity_name: 'Alpha Fund',
    noun: 'entities',
    row_id: 'e1',
    title: 'Alpha Fund',
    action: 'update',
    before: { city: null },
    after: { city: 'Oslo' },
    ...values,
  };
}
