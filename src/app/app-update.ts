import { createListeners } from './listeners.ts';

/** A new version of the app that is installed and waits for the person. */
export interface AppUpdate {
  isWaiting: () => boolean;
  subscribe: (onChange: () => void) => () => void;
  /** A new version waits; `accept` lets it take over. */
  offer: (accept: () => void) => void;
  accept: () => void;
  later: () => void;
}

export function createAppUpdate(): AppUpdate {
  const listeners = createListeners();
  let waiting: (() => void) | null = null;
  const set = (next: (() => void) | null): void => {
    waiting = next;
    listeners.tell();
  };
  return {
    isWaiting: () => waiting !== null,
    subscribe: listeners.subscribe,
    offer: set,
    accept: () => waiting?.(),
    later: () => set(null),
  };
}
