const removalKey = 'remove_copy';

/** Asks that this browser's copy of the user's rows goes when the session ends; the outbox stays. */
export function askRemoval(local: Storage, userId: string): void {
  local.setItem(removalKey, userId);
}

/** Removes the copy that was asked to go; done again at the next start where it was interrupted. */
export async function removeAskedCopy(local: Storage): Promise<void> {
  const userId = local.getItem(removalKey);
  if (userId === null) return;
  const [{ deleteRows }, { browserStores }] = await Promise.all([import('#replica/open.ts'), import('#replica/dexie-store.ts')]);
  await deleteRows(browserStores, userId);
  local.removeItem(removalKey);
}
