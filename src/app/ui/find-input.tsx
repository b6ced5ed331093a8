import type { InputHTMLAttributes } from 'react';

interface FindInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  /** What is found: `Find column`. */
  label: string;
  value: string;
  onText: (text: string) => void;
}

/** The input that narrows a list in a popover. */
export function FindInput({ label, onText, ...rest }: FindInputProps) {
  return (
    <input
      type="search"
      autoFocus
      placeholder={label}
      aria-label={label}
      onChange={(event) => onText(event.target.value)}
      className="h-7 w-full min-w-0 rounded border border-control bg-surface px-2 text-grid print:hidden"
      {...rest}
    />
  );
}
