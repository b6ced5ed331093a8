import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';

/** The engines, in the order of the printed tables. */
export const engineNames = ['columns', 'sqlite', 'duckdb', 'arquero', 'objects', 'dexie'] as const;
export type EngineName = (typeof engineNames)[number];

const here = import.meta.dirname;

function settings(input: Readonly<Record<string, string>>, more: InlineConfig['build']): InlineConfig {
  return {
    configFile: false,
    root: here,
    logLevel: 'error',
    // The bindings without a worker of their own are shipped, but not among the package's exports.
    resolve: { alias: { 'duckdb-blocking': join(here, 'node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs') } },
    build: {
      target: 'esnext',
      assetsInlineLimit: 0,
      modulePreload: false,
      chunkSizeWarningLimit: 1e6,
      rolldownOptions: { input: { ...input }, output: { entryFileNames: '[name].js' }, preserveEntrySignatures: 'strict' },
      ...more,
    },
  };
}

/** Builds the page and the workers of some engines into a folder. */
export async function buildPage(engines: readonly EngineName[], outDir: string): Promise<void> {
  const workers = Object.fromEntries(engines.map((name) => [name, join(here, `page/${name}.worker.ts`)]));
  await build(settings({ ...workers, page: join(here, 'page/page.ts') }, { outDir, emptyOutDir: true }));
  const head = '<!doctype html><title>bench</title><link rel="icon" href="data:,">';
  writeFileSync(join(outDir, 'index.html'), `${head}<script type="module" src="/page.js"></script>`);
}

/** What a page loads to use an engine, besides its script in downloads/: files as they are shipped. */
const shipped: Readonly<Record<string, readonly string[]>> = {
  columns: [],
  replica: [],
  sqlite: ['@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'],
  duckdb: ['@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js', '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'],
  arquero: [],
  dexie: [],
};

/** Gzipped bytes that a page loads for each engine; `replica` is ours with its storage, Dexie among it. */
export async function downloadSizes(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const [name, files] of Object.entries(shipped)) {
    const built = await build(settings({ entry: join(here, `downloads/${name}.ts`) }, { write: false }));
    const { output } = built as Rolldown.RolldownOutput;
    const chunks = output.filter((file) => file.type === 'chunk');
    const texts = [...chunks.map(({ code }) => code), ...files.map((file) => readFileSync(join(here, 'node_modules', file)))];
    sizes.set(
      name,
      texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0),
    );
  }
  return sizes;
}
