import { type InputHTMLAttributes, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';

export const inputLook =
  'h-9 w-full rounded border border-control bg-surface px-3 text-base text-ink disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-bad';

export const fileLook =
  'min-w-0 rounded border border-control bg-surface p-1.5 text-grid file:mr-3 file:h-7 file:rounded file:border-0 file:bg-subtle file:px-3 file:text-grid file:text-ink disabled:cursor-not-allowed disabled:opacity-60';

/** What is wrong with a field, announced; nothing where nothing is. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} role="alert" className="text-grid text-bad">
      {text}
    </p>
  );
}

function FieldHint({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={`${id}-hint`} className="text-small text-muted">
      {text}
    </p>
  );
}

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: string | undefined;
  /** Said below it, and with it. */
  hint?: string;
}

/** The ids of what is said with a field. */
function toldWith(id: string, { hint, error }: { hint: string | undefined; error: string | undefined }): string | undefined {
  return [...(hint ? [`${id}-hint`] : []), ...(error ? [`${id}-error`] : [])].join(' ') || undefined;
}

/** A labelled text input; its error is announced and tied to it. */
export function TextField({ label, error, hint, ...rest }: TextFieldProps) {
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
        aria-describedby={toldWith(id, { hint, error })}
        {...rest}
      />
      <FieldHint id={id} text={hint} />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

interface TextAreaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  error?: string | undefined;
  /** Said below it, and with it. */
  hint?: string;
}

/** The same for a text of several lines. */
export function TextAreaField({ label, error, hint, ...rest }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-grid font-medium text-soft">
        {label}
      </label>
      <textarea
        id={id}
        className={`${inputLook} h-auto! resize-y py-2`}
        aria-invalid={error ? true : undefined}
        aria-describedby={toldWith(id, { hint, error })}
        {...rest}
      />
      <FieldHint id={id} text={hint} />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  options: readonly { value: string; label: string }[];
  error?: string | undefined;
}

export function SelectField({ label, options, error, className = '', ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-grid font-medium text-soft">
        {label}
      </label>
      <select
        id={id}
        className={`${inputLook} pl-2`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
