import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the next build has its files; those of the build before stay, as a server keeps them for pages that are open. */
export const nextAssets = 'assets/next/';

function readable(name: string): boolean {
  return /\.(js|css|html)$/.test(name);
}

/** Makes from a build the next one: the same app, every file of it under another address, as a build with other contents has. */
export function makeNextBuild(build: string, next: string): void {
  cpSync(build, next, { recursive: true });
  mkdirSync(join(next, nextAssets));
  const moved = (from: string): string =>
    readFileSync(from, 'utf8')
      .replaceAll('assets/', nextAssets)
      // what keeps its address is told to have changed
      .replaceAll('"revision":"', '"revision":"next-');
  for (const name of readdirSync(join(build, 'assets')).filter(readable))
    writeFileSync(join(next, nextAssets, name), moved(join(build, 'assets', name)));
  for (const name of readdirSync(build).filter(readable)) writeFileSync(join(next, name), moved(join(build, name)));
}
