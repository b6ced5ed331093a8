import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';

/** What of a user's is removed: the copy of the server's rows, and the edits that have not reached it. */
export type Removable = 'copy' | 'edits';
const keys = { copy: keptKeys.copyRemoval.key, edits: keptKeys.editsRemoval.key } as const satisfies Record<Removable, string>;
const removables = Object.keys(keys) as Removable[];
// no id has one
const between = '\n';

/** Longest that anybody waits for a removal, in milliseconds; where a worker hangs on, it is done once that has let go. */
const longestWaitMs = 3_000;

function asked(local: LocalStorage, what: Removable): string[] {
  return (local.getItem(keys[what]) ?? '').split(between).filter((userId) => userId !== '');
}

/** Of whom something was asked to go: they signed out, or were about to, and have not signed in since. */
export function askedRemovals(local: LocalStorage): string[] {
  return [...new Set(removables.flatMap((what) => asked(local, what)))];
}

function keep(local: LocalStorage, what: Removable, userIds: readonly string[]): void {
  if (userIds.length === 0) local.removeItem(keys[what]);
  else local.setItem(keys[what], userIds.join(between));
}

/**
 * Asks that what this browser has of a user goes when the session ends. It holds until they sign in again: a tab that follows late may
 * read once more, which makes a database of that name again, and then removes that, too.
 */
export function askRemoval(local: LocalStorage, userId: string, whats: readonly Removable[] = ['copy']): void {
  for (const what of whats) keep(local, what, [...new Set([...asked(local, what), userId])]);
}

/** Takes back what was asked: whoever signs in wants a copy. */
export function forgetRemoval(local: LocalStorage, userId: string): void {
  for (const what of removables) {
    const others = asked(local, what).filter((id) => id !== userId);
    keep(local, what, others);
  }
}

/**
 * Removes copies that were asked to go, each once no worker of this browser writes in it any more, whichever tab has started that; however
 * long that takes.
 */
export async function removeOnceFree(local: LocalStorage, locks: LockManager | null): Promise<void> {
  const userIds = askedRemovals(local);
  if (userIds.length === 0) return;
  const [{ deleteOutbox, deleteRows, engineLock }, { browserStores }] = await Promise.all([
    import('#replica/open.ts'),
    import('#replica/dexie-store.ts'),
  ]);
  const removeNow = async (userId: string): Promise<void> => {
    // they may have signed in again while this waited
    const rows = asked(local, 'copy').includes(userId) ? deleteRows(browserStores, userId) : null;
    // these go, too, where those cannot be removed yet
    const edits = asked(local, 'edits').includes(userId) ? deleteOutbox(browserStores, userId) : null;
    for (const removal of await Promise.allSettled([rows, edits])) if (removal.status === 'rejected') throw removal.reason;
  };
  await Promise.all(userIds.map((userId) => (locks ? locks.request(engineLock(userId), () => removeNow(userId)) : removeNow(userId))));
}

/**
 * Sees to it that copies that were asked to go are gone; done again at every start and sign-out, where it was interrupted.
 * @returns whether they are.
 */
export async function removeAskedCopies(local: LocalStorage, locks: LockManager | null): Promise<boolean> {
  const inTime = new Promise<false>((resolve) => void setTimeout(() => resolve(false), longestWaitMs));
  const done = removeOnceFree(local, locks).then(
    () => true,
    () => false,
  );
  return Promise.race([done, inTime]);
}
