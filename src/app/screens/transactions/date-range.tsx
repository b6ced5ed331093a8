import { previousMonth, type TimeZone } from '#domain/dates.ts';
import { DayInput } from '#app/ui/day-input.tsx';
import { daysOf, monthOf, type TransactionSearch } from './transaction-search.ts';

export type SearchChange = Partial<Record<keyof TransactionSearch, string | undefined>>;

interface DateRangeProps {
  search: TransactionSearch;
  now: number;
  zone: TimeZone;
  onChange: (change: SearchChange) => void;
}

/** The preset the days are those of, else `custom`. */
function presetOf(search: TransactionSearch, now: number, zone: TimeZone): 'previous' | 'this' | 'all' | 'custom' {
  const days = daysOf(search, now, zone);
  const is = (range: { from: string; to: string }): boolean => days.from === range.from && days.to === range.to;
  if (days.from === undefined && days.to === undefined) return 'all';
  if (is(previousMonth(now, zone))) return 'previous';
  return is(monthOf(now, zone)) ? 'this' : 'custom';
}

/** Two days, both included, in the chosen zone, or one of three usual spans. */
export function DateRange({ search, now, zone, onChange }: DateRangeProps) {
  const days = daysOf(search, now, zone);
  const choose = (preset: string): void => {
    if (preset === 'all') onChange({ dates: 'all', from: undefined, to: undefined });
    if (preset === 'previous') onChange({ dates: undefined, from: undefined, to: undefined });
    if (preset === 'this') onChange({ dates: undefined, ...monthOf(now, zone) });
  };
  const set = (change: { from?: string; to?: string }): void => {
    const next = { from: days.from, to: days.to, ...change };
    const from = next.from || undefined;
    const to = next.to || undefined;
    // a first day after the last one moves the other end along
    const ordered = from && to && from > to ? (change.from === undefined ? { from: to, to } : { from, to: from }) : { from, to };
    onChange({ dates: from || to ? undefined : 'all', ...ordered });
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <select
        aria-label="Dates"
        value={presetOf(search, now, zone)}
        onChange={(event) => choose(event.target.value)}
        className="h-7 rounded border border-line-strong bg-surface px-2 text-grid text-ink"
      >
        <option value="previous">Previous month</option>
        <option value="this">This month</option>
        <option value="all">All dates</option>
        <option value="custom" hidden>
          Chosen days
        </option>
      </select>
      <DayInput label={`First day (${zone})`} value={days.from ?? ''} onChange={(from) => set({ from })} />
      <span className="text-muted">to</span>
      <DayInput label={`Last day (${zone})`} value={days.to ?? ''} onChange={(to) => set({ to })} />
    </div>
  );
}
