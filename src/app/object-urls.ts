// Addresses under which the browser holds a file in memory: whatever such a file is of can be read by its address until it is let go of.

const held = new Set<string>();

/** An address of a file, good until it is let go of. */
export function holdUrl(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  held.add(url);
  return url;
}

export function letGoOfUrl(url: string): void {
  URL.revokeObjectURL(url);
  held.delete(url);
}

/** Lets go of all of them at once: what they are of may no longer be seen, or whoever had them has left. */
export function letGoOfUrls(): void {
  for (const url of held) letGoOfUrl(url);
}
