import { type ReactNode, useState } from 'react';
import { auditActions, auditedNouns, type AuditPerson } from '#contract/audit.ts';
import { actionWord, type AuditNames, nounWord } from '#domain/audit-words.ts';
import { Button } from '#app/ui/button.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { CloseIcon, FilterIcon } from '#app/ui/icons.tsx';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { type AuditSearch, type AuditSearchChange, daysChange, isFiltered, noAuditFilters } from './audit-search.ts';
import { FilterSelect } from './filter-select.tsx';

interface AuditFiltersProps {
  search: AuditSearch;
  people: readonly AuditPerson[];
  names: AuditNames;
  onChange: (change: AuditSearchChange) => void;
  /** What is done with the list rather than to the filter. */
  actions: ReactNode;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const nouns = auditedNouns.map((noun) => ({ value: noun, label: capital(nounWord(noun)) })).sort((a, b) => (a.label < b.label ? -1 : 1));
const actions = auditActions.map((action) => ({ value: action, label: actionWord(action) }));

/** A filter that is chosen in the list itself, and taken away here. */
function Chosen({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      title="Remove the filter"
      onClick={onRemove}
      className="inline-flex h-7 min-w-0 items-center gap-1.5 rounded border border-primary bg-selected px-2 text-grid text-ink"
    >
      <span className="sr-only">Remove filter: </span>
      <span className="text-soft">{label}</span>
      <span className="max-w-52 truncate font-semibold">{value}</span>
      <CloseIcon size={12} />
    </button>
  );
}

function Fields({ search, people, names, onChange }: Omit<AuditFiltersProps, 'actions'>) {
  const { who, noun, action, client, entity, row, from, to } = search;
  const { zone, nameOf } = names;
  return (
    <>
      <FilterSelect
        label="Who"
        none="Everybody"
        options={people.map(({ id, email }) => ({ value: id, label: email }))}
        value={who}
        onChange={(next) => onChange({ who: next })}
      />
      <FilterSelect label="Kind" none="Every kind" options={nouns} value={noun} onChange={(next) => onChange({ noun: next })} />
      <FilterSelect label="Action" none="Every action" options={actions} value={action} onChange={(next) => onChange({ action: next })} />
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <DayInput
          label={`First day (${zone})`}
          value={from ?? ''}
          onChange={(day) => onChange(daysChange(search, { from: day || undefined }))}
        />
        <span className="text-grid text-muted">to</span>
        <DayInput
          label={`Last day (${zone})`}
          value={to ?? ''}
          onChange={(day) => onChange(daysChange(search, { to: day || undefined }))}
        />
      </span>
      {client === undefined ? null : (
        <Chosen label="Client" value={nameOf(client) ?? client} onRemove={() => onChange({ client: undefined })} />
      )}
      {entity === undefined ? null : (
        <Chosen label="Entity" value={nameOf(entity) ?? entity} onRemove={() => onChange({ entity: undefined })} />
      )}
      {row === undefined ? null : <Chosen label="Row" value={nameOf(row) ?? row} onRemove={() => onChange({ row: undefined })} />}
      {isFiltered(search) ? (
        <Button look="quiet" size="small" onClick={() => onChange(noAuditFilters)}>
          Clear
        </Button>
      ) : null}
    </>
  );
}

/** What the trail is narrowed to. All of it is in the address. */
export function AuditFilters({ actions: deeds, ...props }: AuditFiltersProps) {
  const isNarrow = useIsNarrow();
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.keys(props.search).length;
  return (
    <div className="page-inset flex items-start gap-x-3 gap-y-1.5 border-b border-line pb-2 max-sm:flex-wrap print:hidden">
      <div role="search" aria-label="Filters" className="flex min-w-0 grow flex-wrap items-center gap-1.5">
        {isNarrow ? (
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <FilterIcon />
            {count > 0 ? `Filters: ${count}` : 'Filters'}
          </Button>
        ) : null}
        {!isNarrow || isOpen ? <Fields {...props} /> : null}
      </div>
      {deeds}
    </div>
  );
}
