import { useQuery } from '@tanstack/react-query';
import { type GrantedPermission, listPermissions, listRoles, type Role } from '#contract/roles.ts';
import { useServices } from '#app/services.tsx';
import { referenceKey } from '#app/query-keys.ts';

/** For how long they are not asked for again, in milliseconds. @source specification section 9 */
export const rolesStaleMs = 24 * 3_600_000;

export interface Roles {
  roles: readonly Role[];
  granted: readonly GrantedPermission[];
  /** Neither here nor to be had at the moment. */
  isMissing: boolean;
}

/** The roles and what they grant, kept for offline use; empty until they were fetched once. */
export function useRoles(): Roles {
  const { call } = useServices();
  const roles = useQuery({ queryKey: [referenceKey, 'roles'], queryFn: () => call(listRoles, {}), staleTime: rolesStaleMs });
  const granted = useQuery({
    queryKey: [referenceKey, 'role_permissions'],
    queryFn: () => call(listPermissions, {}),
    staleTime: rolesStaleMs,
  });
  const isMissing = [roles, granted].some(({ data, isError, fetchStatus }) => data === undefined && (isError || fetchStatus === 'paused'));
  return { roles: roles.data ?? [], granted: granted.data ?? [], isMissing };
}
