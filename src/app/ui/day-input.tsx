import { isDay } from '#domain/dates.ts';
import { useDayInput } from './use-day-input.ts';

interface DayInputProps {
  label: string;
  /** `yyyy-MM-dd`, or empty. */
  value: string;
  onChange: (day: string) => void;
}

/** A day one can type or pick. Only a real day is handed on; an emptied field once it is left. */
export function DayInput({ label, value, onChange }: DayInputProps) {
  const input = useDayInput(value);
  return (
    <input
      ref={input}
      type="date"
      aria-label={label}
      defaultValue={value}
      max="2999-12-31"
      onChange={(event) => {
        if (isDay(event.target.value)) onChange(event.target.value);
      }}
      onBlur={(event) => {
        if (event.target.value === '' && value !== '') onChange('');
        else event.target.value = value;
      }}
      className="figures h-7 w-[124px] rounded border border-line-strong bg-surface px-2 text-grid text-ink"
    />
  );
}
