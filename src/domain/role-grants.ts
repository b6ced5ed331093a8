import { type PermissionKey, permissionNouns } from '#contract/permissions.ts';
import type { GrantedPermission } from '#contract/roles.ts';
import type { User } from '#contract/users.ts';

/** What a role may do with a noun. */
export type Grant = 'write' | 'read' | 'none';

/** A noun with what each of some roles may do with it, in their order. */
export interface GrantLine {
  noun: string;
  label: string;
  grants: Grant[];
}

/** A noun of a permission key in words: `transaction_match` is Transaction match. */
function nounLabel(noun: string): string {
  const words = noun.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What roles grant, noun by noun; a noun of a newer server comes last. */
export function grantLines(granted: readonly GrantedPermission[], roleIds: readonly string[]): GrantLine[] {
  const by = new Map(granted.map(({ id, roles }) => [id, roles]));
  const nouns = new Set<string>([...permissionNouns, ...granted.map(({ id }) => id.replace(/_(read|write)$/, ''))]);
  const grantOf = (noun: string, role: string): Grant => {
    if (by.get(`${noun}_write`)?.includes(role)) return 'write';
    return by.get(`${noun}_read`)?.includes(role) ? 'read' : 'none';
  };
  return [...nouns].map((noun) => ({ noun, label: nounLabel(noun), grants: roleIds.map((role) => grantOf(noun, role)) }));
}

/** Whether a person holds a key in an organization by their role there. */
export function holdsIn(
  user: Pick<User, 'is_superuser' | 'memberships'>,
  organizationId: string,
  key: PermissionKey,
  granted: readonly GrantedPermission[],
): boolean {
  if (user.is_superuser) return true;
  const role = user.memberships.find(({ organization_id }) => organization_id === organizationId)?.role_id;
  return role !== undefined && granted.some(({ id, roles }) => id === key && roles.includes(role));
}
