import { entityLabels } from '#app/screens/entities/entity-labels.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { filterText } from './filter-text.ts';

/** A line of an edit's details. */
export interface EditField {
  label: string;
  text: string;
}

const labels: Readonly<Record<string, string>> = {
  ...entityLabels,
  client_name: 'Client Name',
  client_id: 'Client',
  organization_id: 'Organization ID',
  security_id: 'Security',
  is_spam: 'Spam',
  trx_id: 'Transaction',
  counterpart_id: 'Counterpart',
  is_transfer: 'Is a transfer',
  id: 'Row',
  list: 'List',
  name: 'Name',
  search: 'Filter',
  is_enabled: 'Enabled',
  role_id: 'Role',
  assign_clients: 'Clients assigned',
  unassign_clients: 'Clients unassigned',
  assign_entities: 'Entities assigned',
  unassign_entities: 'Entities unassigned',
  ticket_id: 'Ticket',
  fileName: 'File',
};

/** `is_done_at` as `Is done at`, for a field that has no words of its own here: an edit of a newer build, perhaps. */
function labelOf(key: string): string {
  if (Object.hasOwn(labels, key)) return labels[key] ?? key;
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(key: string, value: unknown): string {
  if (key === 'search' && typeof value === 'string') return filterText(value, () => undefined);
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((item) => textOf(key, item)).join(', ') || 'None';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an edit says, field by field, whatever it holds. */
export function fieldsOf(input: unknown): EditField[] {
  if (typeof input !== 'object' || input === null) return [{ label: 'Content', text: textOf('', input) }];
  return Object.entries(input).map(([key, value]) => ({ label: labelOf(key), text: textOf(key, value) }));
}

/** The edit as text that another program reads. */
export function jsonOf(edit: OutboxRow): string {
  return JSON.stringify(edit, null, 2);
}
