import { useLiveQuery } from 'dexie-react-hooks';
import { type ClientFigures, figuresOf } from '#domain/client-figures.ts';
import { type ShownClient, shownClientsOf, type ShownEntity, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { useReplica } from '#app/use-replica.ts';

/** A client with what lies in it. */
export interface ClientRow {
  client: ShownClient;
  organizationName: string;
  entities: ShownEntity[];
  figures: ClientFigures;
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
    const rows = clients.map((client) => {
      const own = entities.filter(({ client_id }) => client_id === client.id);
      return { client, organizationName: names.get(client.organization_id) ?? '', entities: own, figures: figuresOf(own) };
    });
    return { rows, organizations };
  }, [replica]);
}
