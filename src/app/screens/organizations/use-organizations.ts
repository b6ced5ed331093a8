import { useLiveQuery } from 'dexie-react-hooks';
import { v7 as uuid } from 'uuid';
import type { MutationInput } from '#contract/mutations.ts';
import { shownClientsOf, type ShownOrganization, shownOrganizationsOf } from '#replica/places.ts';
import { editTitles } from '#app/edit-titles.ts';
import { useServices } from '#app/services.tsx';
import { lastOrganization, rememberOrganization } from '#app/shell/organization-search.ts';
import { useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';

/** An organization, and how many clients one sees of it. */
export interface OrganizationRow {
  organization: ShownOrganization;
  clients: number;
}

/** The organizations one sees, by name; `undefined` while opening. */
export function useOrganizations(): OrganizationRow[] | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [organizations, clients] = await Promise.all([shownOrganizationsOf(replica), shownClientsOf(replica)]);
    return organizations.map((organization) => ({
      organization,
      clients: clients.filter(({ organization_id: of }) => of === organization.id).length,
    }));
  }, [replica]);
}

type EditName = 'createOrganization' | 'updateOrganization' | 'deleteOrganization';

/** What one can do with organizations. Everything shows at once and reaches the server when there is a network. */
export function useOrganizationEdits() {
  const { clock, local } = useServices();
  const enqueue = useEnqueue();
  const add = <N extends EditName>(name: N, input: MutationInput<N>, title: string, seen: ShownOrganization | null): Promise<void> =>
    enqueue({ id: uuid(), name, input, title, now: clock(), clientId: null, entityId: null, seen });
  return {
    create: (name: string) => {
      const input = { id: uuid(), name };
      return add('createOrganization', input, editTitles.createOrganization(input), null);
    },
    rename: (organization: ShownOrganization, name: string) => {
      const input = { id: organization.id, name };
      return add('updateOrganization', input, editTitles.updateOrganization(input, { ...organization }), organization);
    },
    remove: async (organization: ShownOrganization) => {
      await add('deleteOrganization', { id: organization.id }, `Delete organization: ${organization.name}`, organization);
      if (lastOrganization(local).organizationId === organization.id) rememberOrganization(local, {});
    },
  };
}
