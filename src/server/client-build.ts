import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const sources = ['index.html', 'package.json', 'vite.config.ts', 'tailwind.config.ts', 'public', 'src'];
const stampFile = 'dist/.built-from';

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => name !== 'server')
    .flatMap((name) => filesBelow(join(path, name)));
}

function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesBelow(join(root, source))))
    hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Builds the PWA into `dist/` when its sources have changed since the last build; in a process of its own. */
export async function buildClient(root: string): Promise<void> {
  const stamp = join(root, stampFile);
  const wanted = fingerprint(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Building the app (only when its sources have changed) ...');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
      .on('error', reject)
      .on('exit', resolve);
  });
  if (code !== 0) throw new Error('The app could not be built; the messages above say why.');
  writeFileSync(stamp, wanted);
}
