import { useEffect } from 'react';
import { getMe } from '#contract/session.ts';
import { useServices } from '#app/services.tsx';
import { renewUnlock } from './offline-unlock.ts';

/** Asks once who the user is now: rights may have changed since the app was last online. Offline the stored answer holds. */
export function useFreshMe(): void {
  const { call, session, local, clock } = useServices();
  useEffect(() => {
    call(getMe, {})
      .then((me) => {
        renewUnlock(local, me, clock());
        const stored = session.user();
        // whoever signed in meanwhile is told by their own question
        if (stored?.id === me.id && JSON.stringify(stored) !== JSON.stringify(me)) session.update(me);
      })
      .catch(() => undefined);
  }, [call, session, local, clock]);
}
