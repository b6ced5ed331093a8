import { expect, test } from 'vitest';
import { menuEntriesFor } from '#app/shell/menu-entries.ts';
import { permissionKeys } from '#contract/permissions.ts';

const pathsOf = (organizations: number, ...keys: string[]) =>
  menuEntriesFor({ is_superuser: false, permissions: Object.fromEntries(keys.map((key) => [key, true])) }, organizations).map(
    ({ to }) => to,
  );

test('[SE26] the menu shows each entry to who holds its key alone; organizations to superusers and to who has several', () => {
  expect(pathsOf(2, 'client_read')).toEqual(['/home', '/clients']);
  expect(pathsOf(2, 'user_read')).toEqual(['/users']);
  expect(pathsOf(2, 'audit_read')).toEqual(['/audit']);
  expect(pathsOf(1, 'organization_write')).toEqual(['/system']);
  expect([pathsOf(1, 'organization_read'), pathsOf(2, 'organization_read')]).toEqual([[], ['/organizations']]);
  const others = permissionKeys.filter(
    (key) => !['client_read', 'user_read', 'audit_read', 'organization_read', 'organization_write'].includes(key),
  );
  expect(pathsOf(2, ...others)).toEqual([]);
  expect(menuEntriesFor({ is_superuser: true, permissions: {} }, 1).map(({ to }) => to)).toEqual([
    '/home',
    '/organizations',
    '/clients',
    '/users',
    '/audit',
    '/system',
  ]);
});

test('[SH12] home is highlighted for home, entities and transactions, organizations for their settings, too', () => {
  const at = (path: string) =>
    menuEntriesFor({ is_superuser: true, permissions: {} }, 2)
      .filter(({ isAt }) => isAt(path))
      .map(({ to }) => to);
  for (const path of ['/home', '/entities', '/entities/some', '/transactions']) expect(at(path)).toEqual(['/home']);
  expect([at('/organizations'), at('/organizations/some'), at('/clients'), at('/settings')]).toEqual([
    ['/organizations'],
    ['/organizations'],
    ['/clients'],
    [],
  ]);
});
