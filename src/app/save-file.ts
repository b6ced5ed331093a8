import { holdUrl, letGoOfUrl } from './object-urls.ts';

/** The browser may begin to read some time after the click. Milliseconds. */
const keptMs = 60_000;

/** Saves a file of the person's as a download. */
export function saveFile(name: string, blob: Blob): void {
  const url = holdUrl(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => letGoOfUrl(url), keptMs);
}
