import { useSyncExternalStore } from 'react';

interface Watched {
  subscribe: (onChange: () => void) => () => void;
  holds: () => boolean;
}

/** Each query once: whatever is drawn with every letter and every step of a scroll asks the same ones again. */
const watched = new Map<string, Watched>();

function watch(query: string): Watched {
  const list = window.matchMedia(query);
  const made = {
    subscribe: (onChange: () => void) => {
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    holds: () => list.matches,
  };
  watched.set(query, made);
  return made;
}

/** Whether a media query holds, kept up to date. */
export function useMediaQuery(query: string): boolean {
  const { subscribe, holds } = watched.get(query) ?? watch(query);
  return useSyncExternalStore(subscribe, holds);
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
