import type { HeldPlace } from '#replica/held-place.ts';

/** Follows what the copy holds of the place one looks at. @returns its name, once, when it may no longer be seen; null otherwise. */
export type PlaceWatch = (held: HeldPlace | null) => string | null;

/** What was never seen here is not lost, and what is only fetched anew comes back. */
export function watchPlace(): PlaceWatch {
  let seen: { key: string; name: string } | null = null;
  return (held) => {
    if (held?.name != null) seen = { key: held.key, name: held.name };
    else if (held?.key !== seen?.key) seen = null;
    else if (seen && held?.isListRead) {
      const { name } = seen;
      seen = null;
      return name;
    }
    return null;
  };
}

export function lostText(name: string): string {
  return `You no longer have access to ${name}.`;
}
