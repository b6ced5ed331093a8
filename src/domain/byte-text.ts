const trimmed = (value: number): string => value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '');

/** A size in words, in thousands as makers of disks count: `0.4 MB`, `86 MB`, `2.3 GB`; `unknown` for null. */
export function byteText(bytes: number | null): string {
  if (bytes === null) return 'unknown';
  return bytes >= 999.5e6 ? `${trimmed(bytes / 1e9)} GB` : `${trimmed(bytes / 1e6)} MB`;
}

/** The size of a file in words: `3 kB`, `412 kB`, `9.7 MB`. */
export function fileSizeText(bytes: number): string {
  return bytes < 999_500 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : byteText(bytes);
}
