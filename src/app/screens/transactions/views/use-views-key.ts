import { type RefObject, useEffect } from 'react';

const key = 'v';

function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [aria-modal="true"], [role="menu"]') !== null
  );
}

/** `v` opens the views from anywhere on the screen but where one types. */
export function useViewsKey(button: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event.target)) return;
      if (button.current?.getAttribute('aria-expanded') === 'true') return;
      event.preventDefault();
      button.current?.click();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [button]);
}
