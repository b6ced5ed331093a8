import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { type KeyboardEvent, type ReactElement, useRef } from 'react';
import { ariaKeys, type ShortcutTable, shortcutOf } from './chords.ts';
import { CloseIcon, DownIcon } from './icons.tsx';

/** What finds a pill among the elements around it. */
export const pillMark = 'data-pill';

/** What keys do on a pill. */
export const pillKeys = {
  remove: { keys: ['Delete', 'Backspace'], words: 'Take the filter away' },
} as const satisfies ShortcutTable;

interface PillProps {
  label: string;
  /** The words between label and value: `is not`, `contains`. */
  operator?: string;
  /** Null shows the label alone: nothing is chosen. */
  value: string | null;
  /** It narrows nothing, so it does not stand out. */
  isQuiet?: boolean;
  onRemove: (() => void) | null;
  /** What the cross does, where it does something else than take the filter away. */
  removeLabel?: string;
  /** The editor; it gets what closes it. */
  children: (close: () => void) => ReactElement;
}

const frame = 'inline-flex h-7 max-w-full items-stretch rounded border text-grid transition-colors duration-[120ms]';

/** A filter as a button that says what it does, opens its editor, and has a cross; Delete takes it away, too. */
export function Pill({ label, operator = '', value, isQuiet, onRemove, removeLabel, children }: PillProps) {
  const isOn = value !== null && !isQuiet;
  const button = useRef<HTMLButtonElement>(null);
  const words = [label, operator, value ?? ''].filter(Boolean).join(' ');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!onRemove || shortcutOf(pillKeys, event) === undefined) return;
    event.preventDefault();
    onRemove();
  };
  return (
    <Popover
      className={`${frame} ${isOn ? 'border-primary bg-selected text-ink' : 'border-line-strong bg-surface text-soft hover:bg-hover'}`}
    >
      <PopoverButton
        ref={button}
        {...{ [pillMark]: '' }}
        title={words}
        aria-keyshortcuts={onRemove ? ariaKeys(pillKeys.remove) : undefined}
        onKeyDown={onKeyDown}
        className={`inline-flex min-w-0 items-center gap-1 rounded pl-2.5 whitespace-nowrap ${onRemove ? 'pr-1' : 'pr-2'}`}
      >
        <span className={isOn ? 'text-soft' : ''}>{label}</span>
        {operator ? <span className="text-soft">{operator}</span> : null}
        {value === null ? null : <span className="figures max-w-52 truncate font-semibold text-ink">{value}</span>}
        {onRemove ? null : <DownIcon />}
      </PopoverButton>
      {onRemove ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={removeLabel ?? `Remove ${label} filter`}
          title={removeLabel ?? `Remove ${label} filter (Delete)`}
          onClick={() => {
            // the cross goes, the pill may stay
            button.current?.focus();
            onRemove();
          }}
          className="inline-flex w-6 shrink-0 items-center justify-center rounded text-soft hover:text-ink"
        >
          <CloseIcon size={12} />
        </button>
      ) : null}
      <PopoverPanel
        role="dialog"
        aria-label={`${label} filter`}
        anchor={{ to: 'bottom start', gap: 4, padding: 8 }}
        className="z-30 flex w-80 max-w-[92vw] flex-col rounded bg-raised text-ink shadow-pop"
      >
        {({ close }) => children(close)}
      </PopoverPanel>
    </Popover>
  );
}
