/// <reference types="vitest/config" />
import { createRequire } from 'node:module';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { findPostgres } from './tests/support/postgres-binaries.ts';

const { version, description } = createRequire(import.meta.url)('./package.json') as { version: string; description: string };
const isTest = process.env.VITEST !== undefined;
const apiServer = process.env.API_SERVER ?? 'http://localhost:8000';

const pwa = VitePWA({
  strategies: 'injectManifest',
  srcDir: 'src/workers',
  filename: 'service-worker.ts',
  injectRegister: false,
  registerType: 'prompt',
  injectManifest: {
    globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
    globIgnores: ['screenshot-*.png'],
    maximumFileSizeToCacheInBytes: 4_000_000,
  },
  manifest: {
    id: '/',
    name: 'Tieout',
    short_name: 'Tieout',
    description,
    start_url: '/home',
    scope: '/',
    display: 'standalone',
    theme_color: '#182c4a',
    background_color: '#ffffff',
    categories: ['business', 'finance'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-512-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    screenshots: [
      {
        src: '/screenshot-wide.png',
        sizes: '1440x900',
        type: 'image/png',
        form_factor: 'wide',
        label: 'Transactions with filters and exact totals',
      },
    ],
  },
});

// Dexie looks for IndexedDB when it is loaded, so it must be there before
const inNode = {
  environment: 'node' as const,
  setupFiles: ['fake-indexeddb/auto'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 15_000 } },
  // the usual number leaves a core to watching, which here is half of them
  maxWorkers: '100%',
};

/** What goes through every moment of a routine, and takes minutes. */
const exhaustive = ['tests/sim/crash-points*.test.ts', 'tests/sim/fates.test.ts'];

/** In which browsers and servers are killed again and again, and disks filled. */
const faults = ['tests/e2e/faults-{damage,feed,pull,quota,replay}.test.ts'];

/** Tests in a real browser, and of the server as a process. */
function inBrowser(name: 'e2e' | 'e2e-faults', include: string[], exclude: string[] = []) {
  return {
    extends: true as const,
    test: {
      ...inNode,
      name,
      include,
      exclude,
      testTimeout: 120_000,
      hookTimeout: 180_000,
      globalSetup: ['./tests/support/pglite-setup.ts', './tests/support/demo-setup.ts'],
      // each is a browser and a server, which wait for each other half of the time
      maxWorkers: 2,
      sequence: { groupOrder: name === 'e2e' ? 1 : 2 },
    },
  };
}

/** The server and flow tests, run whole on each database. */
function onDatabase(name: 'pglite' | 'postgres') {
  return {
    extends: true as const,
    test: {
      ...inNode,
      name,
      include: ['tests/server/api/**/*.test.ts', 'tests/flows/**/*.test.ts'],
      env: { TEST_DATABASE: name },
      globalSetup: `./tests/support/${name}-setup.ts`,
    },
  };
}

const hasPostgres = findPostgres() !== null;
if (isTest && !hasPostgres) {
  console.warn(
    '\n*** NO POSTGRESQL ON THIS MACHINE: the server tests run on the embedded database only. Install postgresql to run them on both. ***\n',
  );
}
/** PostgreSQL answers in a third of the time. */
const quicker = hasPostgres ? 'postgres' : 'pglite';

/** The flow tests once more, with a server that only answers the calls of the specification. */
const onSpecification = {
  extends: true as const,
  test: {
    ...inNode,
    name: 'specification',
    include: ['tests/flows/**/*.test.ts'],
    exclude: ['tests/flows/feed*.test.ts', 'tests/flows/conflicts.test.ts', 'tests/flows/released.test.ts', 'tests/flows/worlds.test.ts'],
    env: { TEST_DATABASE: quicker, TEST_SPEAKS: 'specification' },
    globalSetup: `./tests/support/${quicker}-setup.ts`,
  },
};

export default defineConfig(({ command }) => ({
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': { target: apiServer, changeOrigin: false }, '/config.json': apiServer } },
  worker: { format: 'es' },
  build: { target: 'baseline-widely-available', sourcemap: false },
  plugins: [react(), tailwindcss(), command === 'build' ? pwa : null],
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...inNode,
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/server/api/**', 'tests/server/process/**', 'tests/flows/**', 'tests/e2e/**', 'tests/bench/**', ...exhaustive],
        },
      },
      { extends: true, test: { ...inNode, name: 'simulator', include: exhaustive } },
      onDatabase('pglite'),
      onSpecification,
      ...(hasPostgres ? [onDatabase('postgres')] : []),
      inBrowser('e2e', ['tests/e2e/**/*.test.ts', 'tests/server/process/**/*.test.ts'], faults),
      inBrowser('e2e-faults', faults),
    ],
  },
}));
