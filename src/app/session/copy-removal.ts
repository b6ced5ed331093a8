import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';

const removalKey = keptKeys.removal.key;
// no id has one
const between = '\n';

/** Longest that anybody waits for a removal, in milliseconds; where a worker hangs on, it is done once that has let go. */
const longestWaitMs = 3_000;

/** Whose copies were asked to go: they signed out, or were about to, and have not signed in since. */
export function askedRemovals(local: LocalStorage): string[] {
  return (local.getItem(removalKey) ?? '').split(between).filter((userId) => userId !== '');
}

function keep(local: LocalStorage, userIds: readonly string[]): void {
  if (userIds.length === 0) local.removeItem(removalKey);
  else local.setItem(removalKey, userIds.join(between));
}

/**
 * Asks that this browser's copy of the user's rows goes when the session ends; the outbox stays. It holds until they sign in again: a tab
 * that follows late may read once more, which makes a database of that name again, and then removes that, too.
 */
export function askRemoval(local: LocalStorage, userId: string): void {
  keep(local, [...new Set([...askedRemovals(local), userId])]);
}

/** Takes back what was asked: whoever signs in wants a copy. */
export function forgetRemoval(local: LocalStorage, userId: string): void {
  keep(
    local,
    askedRemovals(local).filter((asked) => asked !== userId),
  );
}

/** Removes copies that were asked to go, each once no worker of this browser writes in it any more, whichever tab has started that. */
async function remove(local: LocalStorage, locks: LockManager | null): Promise<void> {
  const userIds = askedRemovals(local);
  if (userIds.length === 0) return;
  const [{ deleteRows, engineLock }, { browserStores }] = await Promise.all([
    import('#replica/open.ts'),
    import('#replica/dexie-store.ts'),
  ]);
  const removeNow = async (userId: string): Promise<void> => {
    // they may have signed in again while this waited
    if (askedRemovals(local).includes(userId)) await deleteRows(browserStores, userId);
  };
  await Promise.all(userIds.map((userId) => (locks ? locks.request(engineLock(userId), () => removeNow(userId)) : removeNow(userId))));
}

/** Sees to it that copies that were asked to go are gone; done again at every start and sign-out, where it was interrupted. */
export async function removeAskedCopies(local: LocalStorage, locks: LockManager | null): Promise<void> {
  const inTime = new Promise<void>((resolve) => void setTimeout(resolve, longestWaitMs));
  await Promise.race([remove(local, locks).catch(() => undefined), inTime]);
}
