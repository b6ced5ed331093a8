import { refreshToken } from '#contract/session.ts';
import { needsRefresh } from '#domain/session.ts';
import type { EngineSession } from '#workers/start.ts';
import type { Services } from '#app/services.tsx';
import { onActivity } from './activity.ts';

/** Shortest time between two attempts of one tab, in milliseconds: a tab without a stored answer would ask at every click. */
const betweenMs = 60_000;

type Needs = Pick<Services, 'call' | 'session' | 'clock' | 'locks' | 'apiBaseUrl'> & {
  engine: { open: (session: EngineSession) => Promise<void> };
};

async function refresh({ call, session, clock }: Needs, userId: string): Promise<void> {
  const stored = session.answer();
  // another tab may have renewed the session while this one waited for the lock
  if (stored && !needsRefresh(stored.expires_at, clock())) return;
  const answer = await call(refreshToken, stored ? { refresh_token: stored.refresh_token } : {});
  // they signed out while it was on its way
  if (session.user()?.id === userId) session.keepAnswer(answer);
}

/**
 * Renews the session now, and at each click or scroll, once less than 30 minutes remain; one tab at a time.
 * @returns what ends it.
 */
export function refreshOnActivity(services: Needs, page: EventTarget): () => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    const { session, clock, locks, engine, apiBaseUrl } = services;
    const user = session.user();
    const stored = session.answer();
    if (!user || (stored && !needsRefresh(stored.expires_at, clock())) || clock() - lastAt < betweenMs) return;
    lastAt = clock();
    try {
      await (locks ? locks.request('tieout-refresh', () => refresh(services, user.id)) : refresh(services, user.id));
      if (session.user()?.id === user.id) await engine.open({ userId: user.id, apiBaseUrl, signInId: session.signInId() });
    } catch {
      // without a network the next click tries again; a session that has ended was told by the call itself
    }
  };
  void check();
  return onActivity(page, () => void check());
}
