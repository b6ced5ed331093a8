import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lossOf, writeWaiting } from '#app/cleared-storage.ts';
import { forgetTraces, keptKeys, keyOfUser, type LocalStorage, rowOfKey } from '#app/kept-keys.ts';
import { rememberRecent } from '#app/palette/recents.ts';
import { rememberOrganization } from '#app/shell/organization-search.ts';
import { openPreferences } from '#app/preferences.ts';
import { readRuntimeConfig } from '#app/runtime-config.ts';
import { columnKeys, usualColumns } from '#app/screens/transactions/columns.ts';
import { rememberAssets } from '#app/screens/transactions/remembered-assets.ts';
import { noteCopy } from '#app/session/copies-here.ts';
import { askRemoval } from '#app/session/copy-removal.ts';
import { chooseLeaseDays } from '#app/session/lease.ts';
import { forgetUnlock, keepUnlock } from '#app/session/offline-unlock.ts';
import { keepRemovedNote } from '#app/session/removed-note.ts';
import { openSession } from '#app/session/session.ts';
import { createLayoutStore } from '#app/ui/grid/layout-store.ts';
import { aStorage } from '#tests/support/storage.ts';

const filesIn = (folder: string): { file: string; code: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: join(folder, file), code: readFileSync(join(folder, file), 'utf8') }));

/** The keys of a storage. */
const keysOf = (storage: Storage): string[] => Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');

const me = { id: 'u1', email: 'a@b.example', name: null, is_superuser: false, permissions: {} };
const body = { classList: { toggle: () => false } } as unknown as HTMLElement;
const silent = (): void => undefined;

test('[PF1] the storages of the browser are named in one place, and everything else knows them by the keys of the table', () => {
  const naming = filesIn('src').filter(({ code }) => /\b(localStorage|sessionStorage)\b/.test(code));
  expect(naming.map(({ file }) => file)).toEqual(['src/main.tsx']);
  const wide = filesIn('src/app').filter(({ code }) => /:\s*(Storage\b|Pick<Storage)/.test(code));
  expect(wide.map(({ file }) => file)).toEqual([]);
  const storage: LocalStorage = aStorage();
  // @ts-expect-error: the check of types refuses a key that is not in the table
  storage.setItem('another', 'value');
  const rows = Object.entries(keptKeys);
  expect(new Set(rows.map(([, { key }]) => key)).size).toBe(rows.length);
  for (const [name, { by }] of rows) {
    const code = readFileSync(join('src/app', by), 'utf8');
    const isNamed = by === 'ui/grid/layout-store.ts' || code.includes(`keptKeys.${name}`) || by === 'preferences.ts';
    expect([name, isNamed && code.includes('setItem')]).toEqual([name, true]);
  }
});

test('[PF2] whatever the app keeps has a row of the table, and goes when the row says', async () => {
  const [local, tab] = [aStorage(), aStorage()];
  const session = openSession(local, tab, silent);
  session.signIn({ refresh_token: 'r', expires_at: '2026-01-01T00:00:00' }, me);
  session.rememberPlace('/transactions');
  openPreferences(local, body, silent).set({
    theme: 'dark',
    zone: 'JST',
    isMenuCollapsed: true,
    isDrawerOpen: true,
    density: 'comfortable',
    numbers: { negatives: 'minus', grouping: 'space', decimals: 'all' },
    priceSource: { id: '2', name: 'Another' },
  });
  const config = { api_base_url: '/api', environment_name: '', support_url: null, oauth: null };
  await readRuntimeConfig(() => Promise.resolve(Response.json(config)), local);
  for (const context of ['entity', 'entities', 'account'] as const)
    createLayoutStore(local, columnKeys[context], usualColumns[context]).set([]);
  rememberAssets(local, 'Alpha', 's1');
  rememberRecent(local, me.id, 'entity e1');
  rememberOrganization(local, { organizationId: 'o1' });
  askRemoval(local, 'u2', ['copy', 'edits']);
  session.setShared(true);
  session.chooseShared(true);
  session.noteEnded();
  session.setOwedSignOut(me.id);
  await keepUnlock(local, me, { kind: 'password', text: 'a password' }, { now: 1, mayKeep: () => true });
  chooseLeaseDays(local, me.id, 3);
  noteCopy(local, me);
  keepRemovedNote(local, { email: me.email, reason: 'revoked', at: 1, lost: null, is_gone: true });
  const install = { mark: async () => null, isLossKnown: async () => false, knowLoss: async () => undefined };
  await lossOf(local, me.id, install, () => 'm1');
  writeWaiting(local, me.id, { count: 1, maybe: 0, at: 1 });
  await lossOf(local, me.id, install, () => 'm2');

  const held = (storage: Storage) => keysOf(storage).map((key) => rowOfKey(key));
  expect(held(local).map((row) => row?.storage)).toEqual(keysOf(local).map(() => 'local'));
  expect(held(tab).map((row) => row?.storage)).toEqual(keysOf(tab).map(() => 'session'));
  // written by a hook, at home or with another build alone
  const elsewhere = [
    keptKeys.lastActivity,
    keptKeys.leftAt,
    keptKeys.draftsLeft,
    keptKeys.readAnewAt,
    keptKeys.lastEntity,
    keptKeys.homeColumns,
    keptKeys.organizationListColumns,
    keptKeys.clientListColumns,
    keptKeys.entityListColumns,
    keptKeys.userListColumns,
  ];
  expect(new Set([...held(local), ...held(tab), ...elsewhere])).toEqual(new Set(Object.values(keptKeys)));

  const goes = () => [...held(local), ...held(tab)].map((row) => row?.goes);
  forgetTraces(local, me.id);
  forgetUnlock(local, me.email);
  expect(goes()).not.toContain('sign-out');
  session.clear();
  expect(goes()).not.toContain('session-end');
  session.takePlace();
  expect(local.getItem('redirect_url')).toBeNull();
  for (const context of ['entity', 'entities', 'account'] as const)
    createLayoutStore(local, columnKeys[context], usualColumns[context]).set(null);
  session.setShared(false);
  chooseLeaseDays(local, me.id, 7);
  expect(goes()).not.toContain('reset');
  expect(goes()).toContain('never');
});

test('[PF3] one user never reads what is kept for another', () => {
  const local = aStorage();
  rememberRecent(local, 'u1', 'client c1');
  expect(keysOf(local)).toEqual(['palette_recents u1']);
  forgetTraces(local, 'u2');
  expect(local.getItem(keyOfUser(keptKeys.recents, 'u1'))).toBe('["client c1"]');
});
