import { useLiveQuery } from 'dexie-react-hooks';
import { shownClientsOf, type ShownClient, type ShownEntity, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { type ShownUser, shownUsersOf } from '#replica/users.ts';
import { useUser } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

/** A client with what lies in it. */
export interface ClientWithEntities extends ShownClient {
  entities: ShownEntity[];
}

/** The people one sees, and the places they may be assigned to. */
export interface People {
  users: ShownUser[];
  organizations: { id: string; name: string }[];
  clients: ClientWithEntities[];
}

/** Kept live; `undefined` while opening. Who was taken out of the last organization in sight is out of sight at once. */
export function useUsers(): People | undefined {
  const replica = useReplica();
  const { is_superuser: seesAll } = useUser();
  return useLiveQuery(async () => {
    const [users, organizations, clients, entities] = await Promise.all([
      shownUsersOf(replica),
      shownOrganizationsOf(replica),
      shownClientsOf(replica),
      shownEntitiesOf(replica),
    ]);
    return {
      users: users.filter(({ memberships }) => seesAll || memberships.length > 0),
      organizations,
      clients: clients.map((client) => ({ ...client, entities: entities.filter(({ client_id }) => client_id === client.id) })),
    };
  }, [replica, seesAll]);
}

/** One of them, also who works for nobody any more; `undefined` while opening, null where they are not here. */
export function usePerson(id: string): ShownUser | null | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => (await shownUsersOf(replica)).find((user) => user.id === id) ?? null, [replica, id]);
}
