import { useEffect } from 'react';
import { chordOf, type Shortcut } from './chords.ts';

const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"]';

interface KeyOptions {
  /** Also where one types; a key that writes something must not. */
  whileTyping?: boolean;
}

/** A shortcut that works from anywhere on the screen but inside a modal dialog. */
export function useKey({ keys }: Shortcut, run: () => void, { whileTyping = false }: KeyOptions = {}): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || !keys.includes(chordOf(event))) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('[aria-modal="true"]') || (!whileTyping && target?.closest(fields))) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
