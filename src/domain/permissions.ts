import { type PermissionKey, type PermissionMap, permissionKeys, permissionNouns } from '#contract/permissions.ts';

/** What a check asks for: the superuser flag alone, one key, or any of several. */
export interface Requirement {
  superuserOnly?: boolean;
  anyOf?: readonly PermissionKey[];
}

/**
 * Says whether a user may do something. A superuser may do everything; anyone else needs at least one of the keys.
 * @source specification section 6
 */
export function isAllowed(user: { is_superuser: boolean; permissions: PermissionMap }, requirement: Requirement): boolean {
  if (user.is_superuser) return true;
  if (requirement.superuserOnly) return false;
  return requirement.anyOf === undefined || requirement.anyOf.some((key) => user.permissions[key] === true);
}

export interface Role {
  id: string;
  name: string;
  /** Sees every client of the organization without being assigned to it. */
  sees_whole_organization: boolean;
  permissions: readonly PermissionKey[];
}

const reads = permissionNouns.map((noun): PermissionKey => `${noun}_read`);
const writes = permissionNouns.map((noun): PermissionKey => `${noun}_write`);

function without(keys: readonly PermissionKey[], ...gone: PermissionKey[]): PermissionKey[] {
  return keys.filter((key) => !gone.includes(key));
}

/** The roles a new database starts with; afterwards they are rows an administrator may edit. */
export const defaultRoles: readonly Role[] = [
  { id: 'administrator', name: 'Administrator', sees_whole_organization: true, permissions: permissionKeys },
  {
    id: 'accountant',
    name: 'Accountant',
    sees_whole_organization: false,
    permissions: [...reads, ...without(writes, 'organization_write', 'user_write', 'credential_write')],
  },
  {
    id: 'bookkeeper',
    name: 'Bookkeeper',
    sees_whole_organization: false,
    permissions: [
      ...reads,
      ...without(writes, 'organization_write', 'user_write', 'credential_write', 'report_write', 'period_lock_write'),
    ],
  },
  {
    id: 'reporter',
    name: 'Reporter',
    sees_whole_organization: false,
    permissions: [...without(reads, 'credential_read', 'audit_read'), 'report_write'],
  },
  { id: 'auditor', name: 'Auditor', sees_whole_organization: false, permissions: [...reads, 'ticket_write'] },
];
