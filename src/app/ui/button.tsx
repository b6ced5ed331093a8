import type { ButtonHTMLAttributes, ReactNode } from 'react';

const looks = {
  primary: 'bg-primary text-on-primary font-semibold hover:brightness-95',
  plain: 'border border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'border border-bad bg-surface text-bad font-semibold hover:bg-bad-soft',
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof looks;
  size?: 'normal' | 'small';
}

export function Button({ look = 'plain', size = 'normal', className = '', type = 'button', ...rest }: ButtonProps) {
  const measure = size === 'small' ? 'h-7 px-2.5 text-grid' : 'h-9 px-3.5 text-base';
  return (
    <button
      type={type}
      className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded whitespace-nowrap transition-colors duration-[120ms] disabled:cursor-not-allowed disabled:opacity-55 print:hidden ${measure} ${looks[look]} ${className}`}
      {...rest}
    />
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  children: ReactNode;
}

/** A button that shows only a sign; its label is what is read out and shown as tooltip. */
export function IconButton({ label, children, className = 'size-7', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex shrink-0 items-center justify-center rounded text-muted transition-colors duration-[120ms] hover:bg-hover hover:text-ink print:hidden ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
