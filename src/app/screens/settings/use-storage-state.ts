import { useEffect, useState } from 'react';

export interface StorageState {
  usedBytes: number | null;
  quotaBytes: number | null;
  isPersisted: boolean;
}

/** How much this browser keeps for the app and whether it promised not to clear it; `ask` asks for that promise. */
export function useStorageState(): { state: StorageState | null; ask: () => Promise<boolean> } {
  const [state, setState] = useState<StorageState | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isHere = true;
    const look = async (): Promise<void> => {
      const storage = navigator.storage as StorageManager | undefined;
      const [estimate, isPersisted] = await Promise.all([storage?.estimate(), storage?.persisted()]);
      if (isHere) setState({ usedBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, isPersisted: isPersisted ?? false });
    };
    look().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [asked]);
  return {
    state,
    ask: async () => {
      const granted = await navigator.storage.persist();
      setAsked((count) => count + 1);
      return granted;
    },
  };
}
