import { useLayoutEffect } from 'react';

/**
 * Keeps the page below out of reach while a dialog is over it. The library does so only for one that opens after it was drawn.
 * Done before the browser paints, and undone before the focus goes back.
 */
export function useInertPage(): void {
  useLayoutEffect(() => {
    const page = document.getElementById('root');
    if (!page) return undefined;
    page.inert = true;
    return () => {
      page.inert = false;
    };
  }, []);
}
