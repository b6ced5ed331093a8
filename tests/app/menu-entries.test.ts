import { expect, test } from 'vitest';
import { menuEntriesFor } from '#app/shell/menu-entries.ts';
import { defaultRoles } from '#domain/permissions.ts';

const pathsOf = (...keys: string[]) =>
  menuEntriesFor({ is_superuser: false, permissions: Object.fromEntries(keys.map((key) => [key, true])) }).map(({ to }) => to);

test('[SE21] the menu shows home and clients to who may read clients', () => {
  expect(pathsOf('client_read')).toEqual(['/home', '/clients']);
  const others = defaultRoles.flatMap(({ permissions }) => permissions).filter((key) => key !== 'client_read');
  expect(pathsOf(...others)).toEqual([]);
  expect(menuEntriesFor({ is_superuser: true, permissions: {} })).toHaveLength(2);
});
