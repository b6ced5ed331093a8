import { logout } from '#contract/session.ts';
import type { Replica } from '#replica/open.ts';
import { unacceptedEdits } from '#replica/unsent.ts';
import type { Services } from '#app/services.tsx';
import { lastWaiting } from '#app/cleared-storage.ts';
import { forgetPerson } from '#app/kept-keys.ts';
import { forgetCopy } from './copies-here.ts';
import { askedRemovals, askRemoval, removeAskedCopies } from './copy-removal.ts';
import { forgetUnlock } from './offline-unlock.ts';

/** Whether what this device keeps of a person is to stay: they are signed in, on a computer of theirs, and nothing was asked to go. */
export function staysHere({ session, local }: Pick<Services, 'session' | 'local'>, userId: string): boolean {
  return session.user()?.id === userId && !session.isShared() && !askedRemovals(local).includes(userId);
}

/** Longest wait for the server, to take the last edits and to end the session, in milliseconds; that ends by itself when it expires. */
const serverWaitMs = 5_000;

function withinWait<T>(work: Promise<T>): Promise<T | undefined> {
  const over = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), serverWaitMs));
  return Promise.race([work.catch(() => undefined), over]);
}

/** The edits that wait, and where they do; null where nobody can tell. */
async function waitingOf({ replica }: Services, userId: string): Promise<{ held: Replica; count: number } | null> {
  const held = await withinWait(replica.open(userId));
  const waiting = held && (await withinWait(unacceptedEdits(held.outbox)));
  return held && waiting ? { held, count: waiting.length } : null;
}

/** Sends what still waits. @returns how many edits are left; where nobody can tell, how many there were when that was last known. */
async function sendLast(services: Services, userId: string): Promise<number> {
  const known = lastWaiting(services.local, userId)?.count ?? 0;
  const waiting = await waitingOf(services, userId);
  if (!waiting) return known;
  return waiting.count === 0 ? 0 : ((await withinWait(sendNow(services, waiting.held))) ?? waiting.count);
}

/**
 * Does something while no tab of this browser signs out: the answer to a sign-out takes the cookies away, also those that a sign-in was
 * given meanwhile.
 */
export function besideSignOuts<T>(locks: LockManager | null, work: () => Promise<T>): Promise<T> {
  return locks ? locks.request('tieout-sign-out', work) : work();
}

/**
 * Tells the server of a sign-out it has not heard of; where it cannot be reached that stays owed until somebody signs in. Who opened the
 * device offline meanwhile has no cookies of their own: they lose nothing by it.
 */
export function settleOwedSignOut({ call, session, locks }: Pick<Services, 'call' | 'session' | 'locks'>): Promise<void> {
  return besideSignOuts(locks, async () => {
    const owed = session.owedSignOut();
    if (owed === null || owed === session.user()?.id) return;
    try {
      await call(logout, {}, { signal: AbortSignal.timeout(serverWaitMs) });
      session.setOwedSignOut(null);
    } catch {
      // tried again once there is a network
    }
  });
}

/** How a session ended. */
export interface SessionEnd {
  /** How many edits were lost by it. */
  lost: number;
  /** Something of what was to go from this computer is still there: it goes once the app is opened again. */
  isLeft: boolean;
}

/**
 * Ends the session here and, when it can be reached, at the server. On a trusted device the outbox stays, and the copy unless its removal
 * was asked; on a shared computer nothing does.
 */
export async function endSession(services: Services): Promise<SessionEnd> {
  const { engine, engineEnded, session, queries, notices, replica, local, locks } = services;
  const user = session.user();
  // what was typed until now stays where it may
  await withinWait(services.drafts.flush());
  const goesWhole = user !== null && session.isShared();
  const left = goesWhole ? await sendLast(services, user.id) : 0;
  if (goesWhole) {
    askRemoval(local, user.id, ['copy', 'edits']);
    forgetUnlock(local, user.email);
  }
  // a tab that follows another one's sign-out has nothing to tell the server
  if (user) session.setOwedSignOut(user.id);
  // other tabs leave their screens when the user is gone, and let go of the databases
  session.clear();
  queries.clear();
  notices.clear();
  // such a tab finds nobody signed in, and lets go of whoever was
  const leaving = new Set([...(user ? [user.id] : []), ...askedRemovals(local)]);
  // what has ended neither answers nor writes
  await Promise.all([...leaving].map((userId) => Promise.race([engine.close(userId).catch(() => undefined), engineEnded])));
  // nothing is sent from here on, and another tab may have kept an edit until it left
  const lost = goesWhole ? ((await waitingOf(services, user.id))?.count ?? left) : 0;
  await replica.close();
  // now that nothing writes for them any more
  if (goesWhole) {
    forgetPerson(local, user.id);
    forgetCopy(local, user.id);
  }
  const ending = settleOwedSignOut(services);
  const isGone = await removeAskedCopies(local, locks);
  await ending;
  return { lost, isLeft: !isGone };
}

/** Sends what waits. @returns how many edits the server has not accepted afterwards. */
export async function sendNow({ engine }: Services, { outbox }: Replica): Promise<number> {
  await engine.sendNow();
  return (await unacceptedEdits(outbox)).length;
}
