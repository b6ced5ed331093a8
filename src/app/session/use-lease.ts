import { useEffect } from 'react';
import type { Me } from '#contract/session.ts';
import { keptKeys, keyOfUser } from '#app/kept-keys.ts';
import { useServices } from '#app/services.tsx';
import { askedRemovals } from './copy-removal.ts';
import { leaseOverText, lookAtLease, onLeaseChange } from './lease.ts';

/** How often the time is looked at, in milliseconds. */
const lookEveryMs = 15_000;

/** Sends the person to `/logout`, where nothing opens before they sign in, once the server has not said for too long who they are. */
export function useLease({ id: userId }: Me): void {
  const { local, clock, leave } = useServices();
  useEffect(() => {
    const look = (): void => {
      // whoever is about to leave for good leaves nothing
      if (askedRemovals(local).includes(userId)) return;
      const lease = lookAtLease(local, userId, clock());
      if (lease.isOver) leave(leaseOverText(lease));
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    document.addEventListener('visibilitychange', look);
    // chosen in this tab, or in another one
    const stop = onLeaseChange(look);
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === keyOfUser(keptKeys.offlineDays, userId)) look();
    };
    window.addEventListener('storage', onStorage);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('storage', onStorage);
      stop();
    };
  }, [local, clock, leave, userId]);
}
