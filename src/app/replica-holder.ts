import type { Replica } from '#replica/open.ts';

/** The signed-in user's local databases, opened once for all screens. */
export interface ReplicaHolder {
  /** The same promise for the same user, so that a render can wait on it. */
  open: (userId: string) => Promise<Replica>;
  close: () => Promise<void>;
}

export function holdReplica(clock: () => number): ReplicaHolder {
  // the databases' code comes with the first screen that needs them, not with the sign-in page
  const opened = async (userId: string): Promise<Replica> => {
    const [{ openReplica }, { browserStores }] = await Promise.all([import('#replica/open.ts'), import('#replica/dexie-store.ts')]);
    return openReplica(browserStores, userId, clock());
  };
  let held: { userId: string; opening: Promise<Replica> } | null = null;
  const close = async (): Promise<void> => {
    const closing = held;
    held = null;
    if (!closing) return;
    const replica = await closing.opening.catch(() => null);
    if (replica) (await import('#replica/open.ts')).closeReplica(replica);
  };
  return {
    open: (userId) => {
      if (held?.userId !== userId) {
        void close();
        const opening = opened(userId);
        held = { userId, opening };
        // a failure is told once; the next asking tries again
        opening.catch(() => {
          if (held?.opening === opening) held = null;
        });
      }
      return held.opening;
    },
    close,
  };
}
