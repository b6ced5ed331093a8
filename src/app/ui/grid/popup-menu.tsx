import { Fragment, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { CheckIcon } from '#app/ui/icons.tsx';
import { usePopup } from './use-popup.ts';

export interface MenuChoice {
  key: string;
  label: string;
  /** The key that does the same, or what it is about. */
  hint?: string;
  /** Whether it is the present state; absent where it is no state. */
  isOn?: boolean;
  isDisabled?: boolean;
  /** The menu stays open, so that it can be chosen again. */
  stays?: boolean;
  /** A line above it. */
  opensGroup?: boolean;
  run: () => void;
}

/** Where a menu opens, in pixels of the window. */
export interface MenuPlace {
  x: number;
  y: number;
}

interface PopupMenuProps {
  label: string;
  at: MenuPlace;
  choices: readonly MenuChoice[];
  onClose: () => void;
}

/** The next choice that can be chosen, from one of them on, round and round. */
function step(buttons: readonly HTMLElement[], by: number): void {
  const enabled = buttons.filter((button) => button.getAttribute('aria-disabled') !== 'true');
  const at = enabled.indexOf(document.activeElement as HTMLElement);
  enabled[(at + by + enabled.length) % enabled.length]?.focus();
}

/** A menu at a place on the screen. Escape, Tab and a click elsewhere close it. */
export function PopupMenu({ label, at, choices, onClose }: PopupMenuProps) {
  const box = usePopup(at, onClose);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
    if (event.key === 'ArrowDown') step(buttons, 1);
    else if (event.key === 'ArrowUp') step(buttons, -1);
    else if (event.key === 'Home') buttons[0]?.focus();
    else if (event.key === 'End') buttons.at(-1)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key.length === 1 && event.key !== ' ') {
      buttons.find((button) => button.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return createPortal(
    <div
      ref={box}
      role="menu"
      aria-label={label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      style={{ left: at.x, top: at.y }}
      className="fixed z-40 max-h-[90vh] min-w-52 max-w-[min(340px,96vw)] overflow-y-auto rounded bg-raised p-1 text-grid shadow-pop print:hidden"
    >
      {choices.map((choice) => (
        <Fragment key={choice.key}>
          {choice.opensGroup ? <hr className="my-1 border-line" /> : null}
          <button
            type="button"
            role={choice.isOn === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={choice.isOn}
            aria-disabled={choice.isDisabled ? true : undefined}
            tabIndex={-1}
            onClick={() => {
              if (choice.isDisabled) return;
              choice.run();
              if (!choice.stays) onClose();
            }}
            className="flex min-h-7 w-full items-center gap-2 rounded-sm px-2 py-1 text-left outline-none hover:bg-hover focus-visible:bg-selected focus-visible:shadow-[inset_0_0_0_2px_var(--primary)] aria-disabled:cursor-not-allowed aria-disabled:text-muted aria-disabled:opacity-60"
          >
            <span aria-hidden="true" className={`w-3 shrink-0 ${choice.isOn ? '' : 'invisible'}`}>
              <CheckIcon />
            </span>
            <span className="min-w-0 grow truncate">{choice.label}</span>
            {choice.hint ? <span className="shrink-0 pl-4 text-small text-muted">{choice.hint}</span> : null}
          </button>
        </Fragment>
      ))}
    </div>,
    document.body,
  );
}
