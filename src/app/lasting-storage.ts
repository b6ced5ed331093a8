import { apartBucket } from '#replica/apart.ts';

/** Somewhere a browser keeps things, and may clear them unless it promised not to. */
export interface KeptPlace {
  persisted: () => Promise<boolean>;
  persist: () => Promise<boolean>;
}

/** Where the app keeps things: the site's own place, and that of what only this device has, in browsers that keep it apart. */
export async function keptPlaces(): Promise<KeptPlace[]> {
  const own = navigator.storage as StorageManager | undefined;
  const apart = await apartBucket();
  return [...(own ? [own] : []), ...(apart ? [apart] : [])];
}

/** Whether the browser promised to clear nothing of the app's by itself. */
export async function isLasting(places: readonly KeptPlace[]): Promise<boolean> {
  const promised = await Promise.all(places.map((place) => place.persisted()));
  return promised.length > 0 && promised.every(Boolean);
}

/** Asks for that promise where it was not given. Some browsers ask the person. @returns whether it is given. */
export async function askToLast(places: readonly KeptPlace[]): Promise<boolean> {
  for (const place of places) if (!(await place.persisted()) && !(await place.persist())) return false;
  return places.length > 0;
}

/** The same where it is to be expected: an app is installed, or a person wants something kept. Never fails. */
export async function wishToLast(isWished: boolean, places: () => Promise<readonly KeptPlace[]> = keptPlaces): Promise<void> {
  if (!isWished) return;
  try {
    await askToLast(await places());
  } catch {
    // settings say how it stands, and ask again
  }
}
