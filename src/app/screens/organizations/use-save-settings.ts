import { v7 as uuid } from 'uuid';
import { type OrganizationSettingsFields, updateOrganizationSettings } from '#contract/organizations.ts';
import { useServices } from '#app/services.tsx';
import { organizationSettingsKey } from '#app/query-keys.ts';

/** Saves what an organization has set, on the version it was read in; throws where the server refuses, or there is no network. */
export function useSaveSettings(organizationId: string) {
  const { call, engine, notices, queries } = useServices();
  return async (fields: OrganizationSettingsFields, version: number | undefined): Promise<OrganizationSettingsFields> => {
    const saved = await call(
      updateOrganizationSettings,
      { organization_id: organizationId, ...fields },
      { idempotencyKey: uuid(), ...(version === undefined ? {} : { ifVersion: version }) },
    );
    queries.setQueryData(organizationSettingsKey(organizationId), saved);
    notices.notice('success', 'Organization settings successfully updated');
    // its name is kept with the other rows
    void engine.syncNow().catch(() => undefined);
    return fields;
  };
}
