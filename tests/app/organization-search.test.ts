import { expect, test } from 'vitest';
import { headerOffset, pageInset, railWidth } from '#app/shell/header-offset.ts';
import { menuEntriesFor } from '#app/shell/menu-entries.ts';
import { carriedOrganization, readOrganizationSearch } from '#app/shell/organization-search.ts';
import { readEntitySearch } from '#app/screens/entities/entity-search.ts';

test('[SH9] home, clients and users take the organization of the present page along, and no other entry does', () => {
  const carrying = menuEntriesFor({ is_superuser: true, permissions: {} }, 2).filter(({ carriesOrganization }) => carriesOrganization);
  expect(carrying.map(({ to }) => to)).toEqual(['/home', '/clients', '/users']);
  expect(carriedOrganization({ organizationId: 'o' })).toEqual({ organizationId: 'o' });
  expect(carriedOrganization({})).toEqual({});
  expect(readOrganizationSearch({ organizationId: 'o', other: 'x' })).toEqual({ organizationId: 'o' });
  for (const wrong of [undefined, '', 'a b', '<script>', 7, 'x'.repeat(65)])
    expect(readOrganizationSearch({ organizationId: wrong })).toEqual({});
  expect(readEntitySearch({ organizationId: 'o', active: '1' })).toEqual({ organizationId: 'o', active: '1' });
});

test('[SH10] the header stays off by 96 pixels beside a closed menu, its rail among them, and by 64 beside an open one', () => {
  expect(headerOffset).toEqual({ closed: 96, open: 64 });
  expect([2 * pageInset(false) + railWidth, 2 * pageInset(true)]).toEqual([96, 64]);
});
