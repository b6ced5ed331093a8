import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// A rule nobody saw fail is no rule: each is shown a planted fault in a copy of the house.

const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'tieout-house-'));

beforeAll(() => {
  for (const part of ['package.json', 'tsconfig.json', '.oxlintrc.json', 'src', 'vite.config.ts', 'tailwind.config.ts']) {
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !path.endsWith('.tsbuildinfo') });
  }
  mkdirSync(join(copy, 'node_modules/.cache'), { recursive: true });
  // packages are shared, the build cache is not
  rmSync(join(copy, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(tool: string, args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Puts a file into the copy for the length of one check. */
function withPlanted<T>(path: string, text: string, check: () => T): T {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  try {
    return check();
  } finally {
    rmSync(file);
  }
}

const lint = (...paths: string[]) => run('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...paths]);
const outDir = join(copy, 'built');
const typecheck = (room: string) =>
  run('typescript/bin/tsc', [
    '-p',
    `src/${room}/tsconfig.json`,
    '--outDir',
    outDir,
    '--tsBuildInfoFile',
    join(outDir, `${room}.tsbuildinfo`),
  ]);

describe('the house', () => {
  const forbidden = [
    ['columns', "import { z } from 'zod';\nexport const planted = z;\n"],
    ['columns', "import { formatUsd } from '#domain/amounts.ts';\nexport const planted = formatUsd;\n"],
    ['contract', "import { formatUsd } from '#domain/amounts.ts';\nexport const planted = formatUsd;\n"],
    ['domain', "import { startCursor } from '#replica/pulls.ts';\nexport const planted = startCursor;\n"],
    ['domain', "import { Dexie } from 'dexie';\nexport const planted = Dexie;\n"],
    ['domain', "import { format } from 'date-fns';\nexport const planted = format;\n"],
    ['api-client', "import { formatUsd } from '#domain/amounts.ts';\nexport const planted = formatUsd;\n"],
    ['replica', "import { createClient } from '#api-client/call.ts';\nexport const planted = createClient;\n"],
    ['workers', "import { Dexie } from 'dexie';\nexport const planted = Dexie;\n"],
    ['app', "import { SyncEngine } from '#workers/engine.ts';\nexport const planted = SyncEngine;\n"],
    ['app', "import { createTable } from '#columns/table.ts';\nexport const planted = createTable;\n"],
    ['server', "import { startCursor } from '#replica/pulls.ts';\nexport const planted = startCursor;\n"],
    ['server/routes', "import { buildApp } from '../app.ts';\nexport const planted = buildApp;\n"],
  ] as const;

  test.each(forbidden)('[HO1] the linter refuses an import that %s may not make: %s', (room, text) => {
    const { status, output } = withPlanted(`src/${room}/planted.ts`, text, () => lint(`src/${room}/planted.ts`));
    expect(status).not.toBe(0);
    expect(output).toContain('no-restricted-imports');
  });

  test.each([
    ['replica', 'export const planted = Date.now();\n'],
    ['workers', 'export const planted = Math.random();\n'],
    ['columns', 'export const planted = setTimeout(() => undefined, 5);\n'],
  ] as const)('[HO9] the linter refuses time and chance of its own in %s: %s', (room, text) => {
    const { status, output } = withPlanted(`src/${room}/planted.ts`, text, () => lint(`src/${room}/planted.ts`));
    expect(status).not.toBe(0);
    expect(output).toContain('no-restricted');
  });

  // the references say which way rooms may look; which room sees which is the linter's to say, as references reach through
  test.each([
    ['contract', "import { formatUsd } from '#domain/amounts.ts';\nexport const planted = formatUsd;\n"],
    ['domain', "import { startCursor } from '#replica/pulls.ts';\nexport const planted = startCursor;\n"],
    ['replica', "import { createClient } from '#api-client/call.ts';\nexport const planted = createClient;\n"],
    ['server', "import { startCursor } from '#replica/pulls.ts';\nexport const planted = startCursor;\n"],
  ])('[HO2] the project references refuse a direction %s may not look in', (room, text) => {
    const { status, output } = withPlanted(`src/${room}/planted.ts`, text, () => typecheck(room));
    expect(status).not.toBe(0);
    expect(output).toMatch(/TS6307|TS6059|not listed within the file list/);
  });

  test.each(['contract', 'domain', 'columns', 'server'])('[HO3] %s knows no browser', (room) => {
    const { output } = withPlanted(`src/${room}/planted.ts`, 'export const planted = () => document.title;\n', () => typecheck(room));
    expect(output).toContain("Cannot find name 'document'");
  });

  test.each([
    [
      'a floating promise',
      'no-floating-promises',
      'async function later(): Promise<void> {}\nexport function planted(): void {\n  later();\n}\n',
    ],
    ['an any', 'no-explicit-any', 'export const planted = (value: any): unknown => value;\n'],
    ['a non-null assertion', 'no-non-null-assertion', 'export const planted = (value: string | null): number => value!.length;\n'],
    ['a default export', 'no-default-export', 'const planted = 1;\nexport default planted;\n'],
    [
      'a switch that misses a case',
      'switch-exhaustiveness-check',
      "export function planted(value: 'a' | 'b'): number {\n  switch (value) {\n    case 'a':\n      return 1;\n  }\n  return 0;\n}\n",
    ],
  ])('[HO4] the linter refuses %s', (_what, rule, text) => {
    const { status, output } = withPlanted('src/domain/planted.ts', text, () => lint('src/domain/planted.ts'));
    expect(status).not.toBe(0);
    expect(output).toContain(rule);
  });

  test('[HO5] the linter refuses a cycle', () => {
    const { status, output } = withPlanted(
      'src/domain/planted-a.ts',
      "import { b } from './planted-b.ts';\nexport const a = (): number => b();\n",
      () =>
        withPlanted('src/domain/planted-b.ts', "import { a } from './planted-a.ts';\nexport const b = (): number => a();\n", () =>
          lint('src/domain'),
        ),
    );
    expect(status).not.toBe(0);
    expect(output).toContain('no-cycle');
  });

  test('[HO6] the house as it stands has none of these', () => {
    expect(lint('src').output).toMatch(/Found 0 warnings and 0 errors/);
  });
});
