import { ApiError, errorCodes } from '#contract/errors.ts';
import { getMe, type LoginAnswer } from '#contract/session.ts';
import { textOfError } from '#app/notices.tsx';
import type { AppRouter } from '#app/router.tsx';
import type { Services } from '#app/services.tsx';
import { forgetUnlock, keepUnlock, reviveUnlock, unlock, unlockKind, unlockRefusal } from '#app/session/offline-unlock.ts';
import { noteCopy } from '#app/session/copies-here.ts';
import { renewLease } from '#app/session/lease.ts';
import { forgetRemovedNote } from '#app/session/removed-note.ts';
import { besideSignOuts, staysHere } from '#app/session/sign-out.ts';

type Places = Pick<AppRouter, 'history'>;

interface Entrance {
  /** Asks the server to let them in. */
  ask: () => Promise<LoginAnswer>;
  /** Who they say they are; left out where only the server will tell. */
  email?: string;
  /** What they signed in with; left out where that was no password. */
  password?: string;
}

/**
 * Two people never mix: what the one before has here is told of, sent and let go of as they sign out, and in no other way.
 * @returns why nobody else may sign in now, in words; null where nobody else is.
 */
function whoElseIsHere(session: Services['session'], email?: string): string | null {
  const here = session.userByNow();
  if (!here || here.email.toLowerCase() === email?.trim().toLowerCase()) return null;
  return `${here.email} is signed in on this browser. Sign out first, then sign in again`;
}

/** Signs somebody in and opens the app for them, at the place they were going to. @throws ApiError also where somebody else is signed in. */
export async function enter(
  { call, session, local, locks, clock }: Pick<Services, 'call' | 'session' | 'local' | 'locks' | 'clock'>,
  { history }: Places,
  { ask, email, password }: Entrance,
): Promise<void> {
  const me = await besideSignOuts(locks, async () => {
    const refusal = whoElseIsHere(session, email);
    if (refusal !== null) throw new ApiError({ code: 'conflict', detail: refusal });
    const answer = await ask();
    const found = await call(getMe, {});
    session.signIn(answer, found);
    return found;
  });
  renewLease(local, me.id, clock());
  forgetRemovedNote(local);
  if (!session.isShared()) noteCopy(local, me);
  if (session.isShared()) forgetUnlock(local, me.email);
  // a passphrase they set stays what the device opens with
  else if (password === undefined || unlockKind(local, me.email) === 'passphrase') reviveUnlock(local, me, clock());
  else {
    const mayKeep = (): boolean => staysHere({ session, local }, me.id);
    // takes a while, and nobody is to wait for it; without it the device opens with the network alone
    keepUnlock(local, me, { kind: 'password', text: password }, { now: clock(), mayKeep }).catch(() => undefined);
  }
  history.replace(session.takePlace());
}

const sharedOfflineText =
  'Signing in on a shared computer needs the network. If nobody else uses this one, take away the tick at "This is a shared computer".';

/** Opens the app without the network for who knows what this device opens with. @returns why not, in words; null where it opens. */
export async function enterOffline(
  { session, local, clock }: Services,
  { history }: Places,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const refusal = whoElseIsHere(session, email);
  if (refusal !== null) return refusal;
  // what opens so keeps what it has, and edits that wait
  if (session.sharedChoice()) return sharedOfflineText;
  const outcome = await unlock(local, { email, secret: password }, clock());
  if (!outcome.ok) return unlockRefusal(outcome);
  // only what is trusted opens so
  session.setShared(false);
  session.resume(outcome.me);
  noteCopy(local, outcome.me);
  history.replace(session.takePlace());
  return null;
}

/** Whether nobody answered, or something else did than the server. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof ApiError && errorCodes[error.code].status === 0;
}

/** What to say of a refused sign-in: wrong credentials in the server's words, anything else in ours. */
export function refusalText(error: unknown): string {
  return error instanceof ApiError && error.code === 'not_authenticated' ? error.message : textOfError(error);
}
