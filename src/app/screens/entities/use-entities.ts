import { useLiveQuery } from 'dexie-react-hooks';
import { pendingMatchCounts } from '#replica/nouns.ts';
import { type ShownClient, shownClientsOf, type ShownEntity, shownEntitiesOf } from '#replica/places.ts';
import { useReplica } from '#app/use-replica.ts';

/** An entity with what the list says beside it. */
export interface EntityRow {
  entity: ShownEntity;
  clientName: string;
  pendingMatches: number;
}

export interface FoundEntities {
  rows: EntityRow[];
  clients: ShownClient[];
}

/** The entities one sees, of one client or of all, by name; `undefined` while opening. */
export function useEntities(clientId?: string): FoundEntities | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities, pending] = await Promise.all([
      shownClientsOf(replica),
      shownEntitiesOf(replica, clientId),
      pendingMatchCounts(replica),
    ]);
    const names = new Map(clients.map(({ id, client_name: name }) => [id, name]));
    const rows = entities.map((entity) => ({
      entity,
      clientName: names.get(entity.client_id) ?? '',
      pendingMatches: pending.get(entity.id) ?? 0,
    }));
    return { rows, clients };
  }, [replica, clientId]);
}
