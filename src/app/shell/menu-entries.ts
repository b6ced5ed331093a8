import type { PermissionKey, PermissionMap } from '#contract/permissions.ts';
import { isAllowed } from '#domain/permissions.ts';

/** A way of the side menu to a screen. */
export interface MenuEntry {
  to: '/home' | '/organizations' | '/clients' | '/users' | '/audit' | '/system';
  label: string;
  key: PermissionKey;
  /** Its address says the organization the present page is narrowed to. */
  carriesOrganization?: true;
  /** Only for superusers, and for who has more than one organization. */
  isOfSeveral?: true;
  /** Whether a path is of this entry. */
  isAt: (path: string) => boolean;
}

/** @source specification sections 2 and 6 */
const entries: readonly MenuEntry[] = [
  {
    to: '/home',
    label: 'Home',
    key: 'client_read',
    carriesOrganization: true,
    isAt: (path) => /\/(home|entities|transactions)/.test(path),
  },
  {
    to: '/organizations',
    label: 'Organizations',
    key: 'organization_read',
    isOfSeveral: true,
    isAt: (path) => path.startsWith('/organizations'),
  },
  { to: '/clients', label: 'Clients', key: 'client_read', carriesOrganization: true, isAt: (path) => path === '/clients' },
  { to: '/users', label: 'Users', key: 'user_read', carriesOrganization: true, isAt: (path) => /^\/users(\/|$)/.test(path) },
  { to: '/audit', label: 'Audit trail', key: 'audit_read', isAt: (path) => path === '/audit' },
  { to: '/system', label: 'System', key: 'organization_write', isAt: (path) => path === '/system' },
];

/** The entries a user may see. @param organizations how many the user has access to. */
export function menuEntriesFor(user: { is_superuser: boolean; permissions: PermissionMap }, organizations: number): MenuEntry[] {
  return entries.filter(
    ({ key, isOfSeveral }) => isAllowed(user, { anyOf: [key] }) && (!isOfSeveral || user.is_superuser || organizations > 1),
  );
}
