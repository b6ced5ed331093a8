import { useEffect, useState } from 'react';
import { apartBucket } from '#replica/apart.ts';

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
      const bucket = await apartBucket();
      const [estimate, isPersisted, areEditsToo] = await Promise.all([
        storage?.estimate(),
        storage?.persisted(),
        bucket?.persisted() ?? true,
      ]);
      if (!isHere) return;
      const [usedBytes, quotaBytes] = [estimate?.usage ?? null, estimate?.quota ?? null];
      setState({ usedBytes, quotaBytes, isPersisted: isPersisted === true && areEditsToo });
    };
    look().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [asked]);
  return {
    state,
    ask: async () => {
      const granted = (await navigator.storage.persist()) && ((await (await apartBucket())?.persist()) ?? true);
      setAsked((count) => count + 1);
      return granted;
    },
  };
}
