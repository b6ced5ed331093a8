interface FilterSelectProps {
  label: string;
  /** What it says while nothing is chosen. */
  none: string;
  options: readonly { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One choice of a filter; one that narrows the list stands out. */
export function FilterSelect({ label, none, options, value, onChange }: FilterSelectProps) {
  // what an address names may not be among the choices here
  const all = value === undefined || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      className={`h-7 max-w-56 min-w-0 rounded border px-1.5 text-grid max-sm:max-w-full max-sm:grow ${value === undefined ? 'border-line-strong bg-surface text-soft' : 'border-primary bg-selected font-semibold text-ink'}`}
    >
      <option value="">{none}</option>
      {all.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
