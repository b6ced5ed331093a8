import { type Ref, useMemo } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import { typeCategories } from '#domain/transaction-types.ts';
import { Button } from '#app/ui/button.tsx';
import { SearchIcon } from '#app/ui/icons.tsx';
import { MultiSelect } from '#app/ui/multi-select.tsx';
import { useDebouncedText } from '#app/ui/use-debounced.ts';
import { DateRange, type SearchChange } from './date-range.tsx';
import { flagFilters, type FlagChoice, isNarrowed, listOf, type TransactionSearch } from './transaction-search.ts';
import type { Names } from './use-names.ts';

interface FilterProps {
  search: TransactionSearch;
  names: Names;
  now: number;
  zone: TimeZone;
  onChange: (change: SearchChange) => void;
}

const typeChoices = typeCategories.map((category) => ({ id: String(category.id), label: category.name }));

/** Off, only these, not these: each click goes one on. */
function FlagToggle({
  label,
  choice,
  onChange,
}: {
  label: string;
  choice: FlagChoice | undefined;
  onChange: (next: FlagChoice | undefined) => void;
}) {
  const next = choice === undefined ? 'only' : choice === 'only' ? 'not' : undefined;
  const words = choice === undefined ? label : choice === 'only' ? `Only ${label.toLowerCase()}` : `Not ${label.toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`${label}: ${choice ?? 'off'}`}
      title={`${label}: ${choice ?? 'off'}. Click for ${next ?? 'off'}`}
      onClick={() => onChange(next)}
      className={`h-7 rounded border px-2.5 text-grid whitespace-nowrap ${choice === undefined ? 'border-line-strong bg-surface text-soft hover:bg-hover' : 'border-primary bg-selected font-medium text-ink'} ${choice === 'not' ? 'border-dashed' : ''}`}
    >
      {words}
    </button>
  );
}

/** Finds a part of a hash, an address or a description. */
export function SearchBox({ value, onChange, input }: { value: string; onChange: (text: string) => void; input: Ref<HTMLInputElement> }) {
  const [text, setText] = useDebouncedText(value, onChange);
  return (
    <div className="relative min-w-0 grow sm:max-w-64">
      <span className="pointer-events-none absolute top-1.5 left-2 text-muted">
        <SearchIcon />
      </span>
      <input
        ref={input}
        type="search"
        aria-label="Search hash, address or description"
        aria-keyshortcuts="/"
        placeholder="Hash, address, description"
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        className="h-7 w-full rounded border border-line-strong bg-surface pr-2 pl-7 text-grid text-ink"
      />
    </div>
  );
}

/** What the list is narrowed to. Everything here is in the address. */
export function Filters({ search, names, now, zone, onChange }: FilterProps) {
  const accounts = useMemo(() => names.accounts.map((account) => ({ id: account.id, label: account.account_name })), [names]);
  const securities = useMemo(
    () => names.securities.map((security) => ({ id: security.id, label: security.ticker, hint: security.security_name })),
    [names],
  );
  const custodians = useMemo(() => {
    const held = new Set(names.accounts.map((account) => account.custodian_id));
    return names.custodians
      .filter((custodian) => held.has(custodian.id))
      .map((custodian) => ({ id: custodian.id, label: custodian.custodian_name }));
  }, [names]);
  const clear: SearchChange = Object.fromEntries(
    [...flagFilters.map((flag) => flag.key), 'account', 'security', 'type', 'custodian', 'q'].map((key) => [key, undefined]),
  );
  return (
    <>
      <DateRange search={search} now={now} zone={zone} onChange={onChange} />
      <MultiSelect
        label="Account"
        choices={accounts}
        selected={listOf(search.account)}
        onChange={(ids) => onChange({ account: ids.join(',') })}
      />
      <MultiSelect
        label="Security"
        choices={securities}
        selected={listOf(search.security)}
        onChange={(ids) => onChange({ security: ids.join(',') })}
      />
      <MultiSelect
        label="Type"
        choices={typeChoices}
        selected={listOf(search.type)}
        onChange={(ids) => onChange({ type: ids.join(',') })}
      />
      <MultiSelect
        label="Custodian"
        choices={custodians}
        selected={listOf(search.custodian)}
        onChange={(ids) => onChange({ custodian: ids.join(',') })}
      />
      {flagFilters.map((flag) => (
        <FlagToggle key={flag.key} label={flag.label} choice={search[flag.key]} onChange={(choice) => onChange({ [flag.key]: choice })} />
      ))}
      {isNarrowed(search) ? (
        <Button look="quiet" size="small" onClick={() => onChange(clear)}>
          Clear
        </Button>
      ) : null}
    </>
  );
}
