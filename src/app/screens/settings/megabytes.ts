/** A size in words, in thousands as makers of disks count. */
export function megabytes(bytes: number | null): string {
  if (bytes === null) return 'unknown';
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
