import { useEffect, useState } from 'react';
import { askToLast, isLasting, keptPlaces } from '#app/lasting-storage.ts';

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
      const [estimate, isPersisted] = await Promise.all([storage?.estimate(), isLasting(await keptPlaces())]);
      if (!isHere) return;
      const [usedBytes, quotaBytes] = [estimate?.usage ?? null, estimate?.quota ?? null];
      setState({ usedBytes, quotaBytes, isPersisted });
    };
    look().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [asked]);
  return {
    state,
    ask: async () => {
      const granted = await askToLast(await keptPlaces());
      setAsked((count) => count + 1);
      return granted;
    },
  };
}
