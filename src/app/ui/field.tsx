import { type InputHTMLAttributes, type SelectHTMLAttributes, useId } from 'react';

export const inputLook =
  'h-9 w-full rounded border border-control bg-surface px-3 text-base text-ink disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-bad';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: string | undefined;
}

/** A labelled text input; its error is announced and tied to it. */
export function TextField({ label, error, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-grid font-medium text-soft">
        {label}
      </label>
      <input
        id={id}
        className={inputLook}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...rest}
      />
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-grid text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  options: readonly { value: string; label: string }[];
}

export function SelectField({ label, options, className = '', ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-grid font-medium text-soft">
        {label}
      </label>
      <select id={id} className={`${inputLook} pl-2`} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
