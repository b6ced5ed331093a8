import { useSyncExternalStore } from 'react';

/** Whether a media query holds, kept up to date. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}

/** 600 px and below: lists become two-line cards. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 600px)');
}

/** Whether the browser says there is a network; false is certain, true is a hint. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener('online', onChange);
      window.addEventListener('offline', onChange);
      return () => {
        window.removeEventListener('online', onChange);
        window.removeEventListener('offline', onChange);
      };
    },
    () => navigator.onLine,
  );
}
