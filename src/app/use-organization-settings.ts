import { useQuery } from '@tanstack/react-query';
import { getOrganizationSettings, type OrganizationSettings } from '#contract/organizations.ts';
import { isAllowed } from '#domain/permissions.ts';
import { useServices, useUser } from './services.tsx';
import { organizationSettingsKey } from './query-keys.ts';

/** For how long they are not asked for again, in milliseconds. @source specification section 9 */
export const organizationSettingsStaleMs = 10 * 60_000;

export interface OrganizationSettingsState {
  /** Undefined where they were never fetched. */
  settings: OrganizationSettings | undefined;
  isLoading: boolean;
  error: Error | null;
  again: () => Promise<unknown>;
}

/** What an organization has set; of none without an id, and for who may not read it. */
export function useOrganizationSettings(id: string | undefined): OrganizationSettingsState {
  const { call } = useServices();
  const user = useUser();
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: organizationSettingsKey(id ?? ''),
    queryFn: () => call(getOrganizationSettings, { organization_id: id ?? '' }),
    staleTime: organizationSettingsStaleMs,
    enabled: id !== undefined && isAllowed(user, { anyOf: ['organization_read'] }),
  });
  return { settings: data, isLoading, error, again: refetch };
}
