import { useLiveQuery } from 'dexie-react-hooks';
import { v7 as uuid } from 'uuid';
import type { NewMutation } from '#replica/outbox.ts';
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
  type Edit<N extends EditName> = Pick<NewMutation<N>, 'name' | 'input' | 'title'> & { seen: ShownOrganization | null };
  const add = <N extends EditName>(edit: Edit<N>): Promise<void> =>
    enqueue({ ...edit, id: uuid(), now: clock(), clientId: null, entityId: null });
  return {
    create: (name: string) => {
      const input = { id: uuid(), name };
      return add({ name: 'createOrganization', input, title: editTitles.createOrganization(input), seen: null });
    },
    rename: (organization: ShownOrganization, name: string) => {
      const input = { id: organization.id, name };
      return add({ name: 'updateOrganization', input, title: (was, said) => editTitles.updateOrganization(said, was), seen: organization });
    },
    remove: async (organization: ShownOrganization) => {
      const [input, title] = [{ id: organization.id }, `Delete organization: ${organization.name}`];
      await add({ name: 'deleteOrganization', input, title, seen: organization });
      if (lastOrganization(local).organizationId === organization.id) rememberOrganization(local, {});
    },
  };
}
