import { useEffect, useRef } from 'react';
import { getMe } from '#contract/session.ts';
import type { EngineStatus } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import { renewUnlock } from './offline-unlock.ts';

/** For how long it holds who the user is and what they may do, in milliseconds. @source specification section 9 */
export const meFreshMs = 60_000;

/**
 * Asks who the user is now: at once, whenever the feed tells of other rights, and with the first sync after it held long enough. Offline
 * the stored answer holds.
 */
export function useFreshMe({ last_sync_at, perm_version }: Pick<EngineStatus, 'last_sync_at' | 'perm_version'>): void {
  const { call, session, local, clock } = useServices();
  const asked = useRef<{ at: number; version: number | null } | null>(null);
  useEffect(() => {
    const before = asked.current;
    if (before?.version === perm_version && Math.abs(clock() - before.at) < meFreshMs) return;
    asked.current = { at: clock(), version: perm_version };
    call(getMe, {})
      .then((me) => {
        renewUnlock(local, me, clock());
        const stored = session.user();
        // whoever signed in meanwhile is told by their own question
        if (stored?.id === me.id && JSON.stringify(stored) !== JSON.stringify(me)) session.update(me);
      })
      // asked again with the next sync
      .catch(() => {
        asked.current = before;
      });
  }, [call, session, local, clock, last_sync_at, perm_version]);
}
