import type { PermissionKey, PermissionMap } from '#contract/permissions.ts';
import { isAllowed } from '#domain/permissions.ts';

/** A way of the side menu to a screen. */
export interface MenuEntry {
  to: '/home' | '/clients';
  label: string;
  key: PermissionKey;
  /** Whether a path is of this entry. */
  isAt: (path: string) => boolean;
}

/** @source specification sections 2 and 6 */
const entries: readonly MenuEntry[] = [
  { to: '/home', label: 'Home', key: 'client_read', isAt: (path) => /\/(home|entities|transactions)/.test(path) },
  { to: '/clients', label: 'Clients', key: 'client_read', isAt: (path) => path === '/clients' },
];

/** The entries a user may see. */
export function menuEntriesFor(user: { is_superuser: boolean; permissions: PermissionMap }): MenuEntry[] {
  return entries.filter(({ key }) => isAllowed(user, { anyOf: [key] }));
}
