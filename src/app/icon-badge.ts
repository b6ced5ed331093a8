/** The part of the browser that puts a number on the installed app's icon; not everywhere, and refused where the app is not installed. */
export interface IconBadge {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

/** Shows on the app's icon how many edits wait; none takes the number away. */
export function showOnIcon(icon: IconBadge, count: number): void {
  // nobody waits for it, and it matters to nothing where it fails
  if (count > 0) icon.setAppBadge?.(count).catch(() => undefined);
  else icon.clearAppBadge?.().catch(() => undefined);
}
