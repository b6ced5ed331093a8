import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(process.cwd(), 'tests');

function idsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '').sort();
}

test('[HO7] every rule has a test, and every test a rule', () => {
  const rules = idsIn(readFileSync(join(folder, 'rules.md'), 'utf8'), /^- \*\*([A-Z]+\d+)\*\*/gm);
  const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .flatMap((text) => idsIn(text, /['"`]\[([A-Z]+\d+)\] /g));
  expect([...new Set(titles)].sort()).toEqual(rules);
});
