import { clientName } from './home-columns.tsx';
import type { HomeRow } from './use-home-rows.ts';

interface ClientSelectProps {
  /** Every entity, whosever it is. */
  rows: readonly HomeRow[];
  value: string | undefined;
  onChange: (client: string | undefined) => void;
}

const byText = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

/** Whose entities are shown. With one client alone there is nothing to choose. */
export function ClientSelect({ rows, value, onChange }: ClientSelectProps) {
  const names = new Map(rows.map((row) => [row.entity.client_id, clientName(row)]));
  if (names.size < 2 && value === undefined) return null;
  const clients = [...names].toSorted(([, one], [, other]) => byText(one, other));
  return (
    <select
      aria-label="Client"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      className="h-7 max-w-56 min-w-0 rounded border border-control bg-surface px-1.5 text-grid"
    >
      <option value="">All clients</option>
      {clients.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {value === undefined || names.has(value) ? null : <option value={value}>Client not here</option>}
    </select>
  );
}
