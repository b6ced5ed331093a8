interface Held {
  name: string;
  mode: string;
  tab: object;
}

type Work = (lock: Held | null) => unknown;

/** The locks of a browser, as its tabs ask for them: at once or not at all, and shared. What a tab holds goes with it. */
export function browserLocks() {
  const held = new Set<Held>();
  return {
    aTab: () => {
      const tab = {};
      const request = async (name: string, { mode = 'exclusive' }: LockOptions, work: Work): Promise<unknown> => {
        const others = [...held].filter((one) => one.name === name);
        if (others.some((one) => mode === 'exclusive' || one.mode === 'exclusive')) return work(null);
        const lock = { name, mode, tab };
        held.add(lock);
        try {
          return await work(lock);
        } finally {
          held.delete(lock);
        }
      };
      return {
        locks: { request, query: async () => ({ held: [...held].map(({ name }) => ({ name })) }) } as unknown as LockManager,
        die: () => {
          for (const lock of held) if (lock.tab === tab) held.delete(lock);
        },
      };
    },
  };
}
