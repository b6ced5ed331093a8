import { useSyncExternalStore } from 'react';
import { useServices, useUser } from '#app/services.tsx';
import { chooseLeaseDays, leaseDays, onLeaseChange } from '#app/session/lease.ts';

function subscribe(onChange: () => void): () => void {
  const stop = onLeaseChange(onChange);
  // what other tabs change
  window.addEventListener('storage', onChange);
  return () => {
    stop();
    window.removeEventListener('storage', onChange);
  };
}

/** For how many days this device opens without the server, and how to choose that. */
export function useLeaseDays(): { days: number; choose: (days: number) => void } {
  const { local } = useServices();
  const { id } = useUser();
  const days = useSyncExternalStore(subscribe, () => leaseDays(local, id));
  return { days, choose: (chosen) => chooseLeaseDays(local, id, chosen) };
}
