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
  const listeners = new Set<() => void>();
  let waiting: (() => void) | null = null;
  const set = (next: (() => void) | null): void => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  return {
    isWaiting: () => waiting !== null,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    offer: set,
    accept: () => waiting?.(),
    later: () => set(null),
  };
}
