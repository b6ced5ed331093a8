import { keptKeys, keyOfUser, type LocalStorage } from '#app/kept-keys.ts';

/** Most that are remembered. */
const most = 6;

/** Keys of the entries one last chose, the latest first. Names are not kept: what one may no longer see is told nothing of. */
export function recentKeys(local: LocalStorage, userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(local.getItem(keyOfUser(keptKeys.recents, userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberRecent(local: LocalStorage, userId: string, key: string): void {
  const next = [key, ...recentKeys(local, userId).filter((one) => one !== key)].slice(0, most);
  try {
    local.setItem(keyOfUser(keptKeys.recents, userId), JSON.stringify(next));
  } catch {
    // a browser that is full forgets it
  }
}
