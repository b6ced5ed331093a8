import { useEffect, useRef } from 'react';
import { getMe, type Me } from '#contract/session.ts';
import type { EngineStatus } from '#workers/start.ts';
import { forgetAnswers } from '#app/forget-answers.ts';
import { useServices } from '#app/services.tsx';
import { askedRemovals } from './copy-removal.ts';
import { renewUnlock } from './offline-unlock.ts';

/** For how long it holds who the user is and what they may do, in milliseconds. @source specification section 9 */
export const meFreshMs = 60_000;

function haveSameRights(one: Me, other: Me): boolean {
  const rightsOf = ({ is_superuser, permissions }: Me): string => JSON.stringify([is_superuser, Object.entries(permissions).sort()]);
  return rightsOf(one) === rightsOf(other);
}

/**
 * Asks who the user is now: at once, whenever the feed tells of other rights, and with the first sync after it held long enough. Offline
 * the stored answer holds.
 */
export function useFreshMe({ last_sync_at, perm_version }: Pick<EngineStatus, 'last_sync_at' | 'perm_version'>): void {
  const { call, session, local, clock, queries } = useServices();
  const asked = useRef<{ at: number; version: number | null } | null>(null);
  useEffect(() => {
    const before = asked.current;
    if (before?.version === perm_version && Math.abs(clock() - before.at) < meFreshMs) return;
    asked.current = { at: clock(), version: perm_version };
    call(getMe, {})
      .then((me) => {
        const stored = session.user();
        // whoever signed in meanwhile is told by their own question
        if (stored?.id !== me.id) return;
        // whoever is about to leave for good leaves nothing
        if (!askedRemovals(local).includes(me.id)) renewUnlock(local, me, clock());
        if (JSON.stringify(stored) === JSON.stringify(me)) return;
        session.update(me);
        // what was answered was answered to who might do something else
        if (!haveSameRights(stored, me)) forgetAnswers(queries);
      })
      // asked again with the next sync
      .catch(() => {
        asked.current = before;
      });
  }, [call, session, local, clock, queries, last_sync_at, perm_version]);
}
