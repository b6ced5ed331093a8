/** Who wants to hear of a store's changes. */
export interface Listeners {
  /** @returns how to stop hearing. */
  subscribe: (onChange: () => void) => () => void;
  tell: () => void;
}

export function createListeners(): Listeners {
  const listening = new Set<() => void>();
  return {
    subscribe: (onChange) => {
      listening.add(onChange);
      return () => listening.delete(onChange);
    },
    tell: () => {
      for (const onChange of listening) onChange();
    },
  };
}
