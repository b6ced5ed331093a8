import { useEffect } from 'react';
import { isAddFilterKey } from './filter-keys.ts';

/** The shortcut of a new filter works from anywhere on the screen but inside a modal dialog. */
export function useAddFilterKey(onKey: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isAddFilterKey(event) || (event.target instanceof Element && event.target.closest('[aria-modal="true"]'))) return;
      event.preventDefault();
      // what is typed in an open editor applies first
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      onKey();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
