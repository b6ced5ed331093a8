import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';
import type { Session } from './session.ts';

// On a shared computer a session is over when its last tab is closed, though the browser keeps what it has: whoever starts the app next
// is to find nothing. A tab is there while it holds a lock; one that is read anew is there again within a moment.

const lockName = 'tieout-present';
const { key: leftKey } = keptKeys.leftAt;
/** How long a tab may take to be there again, in milliseconds. */
const reloadMs = 60_000;

/** Said to whoever starts the app then. */
export const leftBehindText = 'Somebody had left this shared computer without signing out. What was kept of their work is removed.';

interface Place {
  session: Pick<Session, 'user' | 'isShared' | 'answer' | 'subscribe'>;
  local: LocalStorage;
  locks: LockManager | null;
  clock: () => number;
}

async function isOtherTabThere(locks: LockManager | null): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName);
}

/** Whether the session found at start was left behind on a shared computer: no tab has it open, and this one is not a reload of one. */
export async function isLeftBehind({ session, local, locks, clock }: Place): Promise<boolean> {
  if (!session.user() || !session.isShared()) return false;
  if (await isOtherTabThere(locks)) return false;
  const awayMs = clock() - Number(local.getItem(leftKey) ?? 0);
  return session.answer() === null || awayMs > reloadMs || awayMs < 0;
}

/** Says for as long as this page is open and somebody signed in on it that they are here, where that matters. */
export function bePresent({ session, local, locks, clock, isLeft }: Place & { isLeft: boolean }, page: EventTarget): void {
  const isHere = (): boolean => session.user() !== null && session.isShared();
  let letGo: (() => void) | null = null;
  const follow = (): void => {
    if (isHere() && !letGo) {
      const over = new Promise<void>((resolve) => (letGo = resolve));
      void locks?.request(lockName, { mode: 'shared' }, () => over);
    } else if (!isHere()) {
      letGo?.();
      letGo = null;
    }
  };
  // a session that was left behind is nobody's: it is about to end
  if (!isLeft) follow();
  session.subscribe(follow);
  page.addEventListener('pagehide', () => {
    if (isHere()) local.setItem(leftKey, String(clock()));
  });
}
