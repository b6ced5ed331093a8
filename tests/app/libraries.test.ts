import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraries, mitText } from '#app/screens/settings/libraries.ts';

/** Rooms whose code the browser loads. */
const rooms = ['api-client', 'app', 'columns', 'contract', 'domain', 'replica', 'workers'];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

/** The package of an import: `zod`, `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

interface Manifest {
  license: string;
  author?: string | { name: string };
}

/** What a package says of itself: its manifest, and its licence. */
function told(name: string): { manifest: Manifest; notice: string } {
  const folder = join('node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return { manifest, notice: file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '' };
}

test('[PF9] every library in what the browser loads is named with its licence and whose it is', () => {
  const files = [...rooms.flatMap((room) => filesIn(join('src', room))), 'src/main.tsx'];
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '([^'#.][^']*)'/g)].map((found) => packageOf(found[1] ?? '')),
  );
  // its styles are loaded, too
  const loaded = [...new Set([...imported, 'tailwindcss'])].filter((name) => !name.startsWith('node:'));
  expect(libraries.map(({ name }) => name)).toEqual(loaded.sort());
  for (const { name, licence, copyright } of libraries) {
    const { manifest, notice } = told(name);
    const author = typeof manifest.author === 'string' ? manifest.author : (manifest.author?.name ?? '');
    expect([name, manifest.license]).toEqual([name, licence]);
    const plain = `${notice} ${author}`.replaceAll('`', '');
    expect([name, plain.includes(copyright) || licence === 'Apache-2.0']).toEqual([name, true]);
  }
  const mit = told('react').notice.replace(/\s+/g, ' ');
  expect(mit).toContain(mitText.replace(/\s+/g, ' '));
});
