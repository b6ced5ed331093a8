import { entityLabels } from '#app/screens/entities/entity-labels.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';

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
};

/** `is_done_at` as `Is done at`, for a field that has no words of its own here: an edit of a newer build, perhaps. */
function labelOf(key: string): string {
  if (Object.hasOwn(labels, key)) return labels[key] ?? key;
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an edit says, field by field, whatever it holds. */
export function fieldsOf(input: unknown): EditField[] {
  if (typeof input !== 'object' || input === null) return [{ label: 'Content', text: textOf(input) }];
  return Object.entries(input).map(([key, value]) => ({ label: labelOf(key), text: textOf(value) }));
}

/** The edit as text that another program reads. */
export function jsonOf(edit: OutboxRow): string {
  return JSON.stringify(edit, null, 2);
}
