import { useLiveQuery } from 'dexie-react-hooks';
import { accountsOf } from '#replica/nouns.ts';
import { type ShownClient, shownClientsOf, type ShownEntity, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { useReplica } from '#app/use-replica.ts';

/** A client with what lies in it. */
export interface ClientRow {
  client: ShownClient;
  organizationName: string;
  entities: ShownEntity[];
  /** Active accounts of its entities. */
  accounts: number;
}

/** The clients one sees, by name, and the organizations a new one can be made in; `undefined` while opening. */
export function useClients(): { rows: ClientRow[]; organizations: { id: string; name: string }[] } | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities, organizations] = await Promise.all([
      shownClientsOf(replica),
      shownEntitiesOf(replica),
      shownOrganizationsOf(replica),
    ]);
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    const rows = clients.map(async (client) => ({
      client,
      organizationName: names.get(client.organization_id) ?? '',
      entities: entities.filter(({ client_id }) => client_id === client.id),
      accounts: (await accountsOf(replica, { client_id: client.id })).filter(({ is_inactive }) => !is_inactive).length,
    }));
    return { rows: await Promise.all(rows), organizations };
  }, [replica]);
}
