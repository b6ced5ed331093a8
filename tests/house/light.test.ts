import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build, type Rolldown } from 'vite';

test('[HO8] what opens the copy and reads rows from it is loaded without a schema: to make those takes longer than to read', async () => {
  const files = ['column-set', 'open', 'dexie-store'].map((name) => join(process.cwd(), 'src/replica', `${name}.ts`));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, target: 'esnext', rolldownOptions: { input: files, preserveEntrySignatures: 'strict' } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const loaded = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  expect(loaded.some((path) => path.endsWith('src/replica/column-set.ts'))).toBe(true);
  expect(loaded.filter((path) => path.includes('/node_modules/zod/'))).toEqual([]);
});
