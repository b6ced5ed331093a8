import { useEffect } from 'react';
import { sessionLimits } from '#contract/session.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { useServices } from '#app/services.tsx';
import { onActivity } from './activity.ts';

const { key } = keptKeys.lastActivity;
/** How often the time is looked at, and how often activity is written down, in milliseconds. */
const lookEveryMs = 15_000;
const writeEveryMs = 5_000;

/**
 * Sends the person to `/logout` after an hour without a click, load or scroll in any tab.
 * The deadline is a moment and not a timer, so that a laptop that slept is signed out when it wakes.
 */
export function useInactivity(): void {
  const { local, clock, leave } = useServices();
  useEffect(() => {
    const isOver = (): boolean => clock() - Number(local.getItem(key) ?? clock()) > sessionLimits.inactivityMs;
    const look = (): void => {
      // a clock that was set back would keep them here for as long as that
      if (Number(local.getItem(key)) > clock()) local.setItem(key, String(clock()));
      if (isOver()) leave('You were signed out after an hour without activity');
    };
    // the hour may have passed while no tab was open
    if (isOver()) {
      look();
      return undefined;
    }
    local.setItem(key, String(clock()));
    const note = (): void => {
      if (isOver()) look();
      else if (clock() - Number(local.getItem(key)) > writeEveryMs) local.setItem(key, String(clock()));
    };
    const timer = setInterval(look, lookEveryMs);
    document.addEventListener('visibilitychange', look);
    const stop = onActivity(window, note);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      stop();
    };
  }, [local, clock, leave]);
}
