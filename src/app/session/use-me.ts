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

/** When the question was put, in UTC milliseconds, and what was known then of the rights. */
interface Asked extends Pick<EngineStatus, 'perm_version' | 'denied_at'> {
  at: number;
}

/** Whether it is to be put again: an edit was refused since, or rights changed, or it held long enough. */
export function isMeDue(before: Asked | null, now: Asked): boolean {
  const isAsBefore = before?.perm_version === now.perm_version && before.denied_at === now.denied_at;
  return !isAsBefore || Math.abs(now.at - before.at) >= meFreshMs;
}

/**
 * Asks who the user is now: at once, whenever the feed tells of other rights or an edit is refused for want of one, and with the first sync
 * after it held long enough. Offline the stored answer holds.
 */
export function useFreshMe({
  last_sync_at,
  perm_version,
  denied_at,
}: Pick<EngineStatus, 'last_sync_at' | 'perm_version' | 'denied_at'>): void {
  const { call, session, local, clock, queries } = useServices();
  const asked = useRef<Asked | null>(null);
  useEffect(() => {
    const before = asked.current;
    const now = { at: clock(), perm_version, denied_at };
    if (!isMeDue(before, now)) return;
    asked.current = now;
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
  }, [call, session, local, clock, queries, last_sync_at, perm_version, denied_at]);
}
