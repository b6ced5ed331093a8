import { useLiveQuery } from 'dexie-react-hooks';
import type { Client, Entity } from '#contract/organizations.ts';
import { clientsOf, entitiesOf, pendingMatchCounts } from '#replica/nouns.ts';
import type { EntityProgress } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { useReplica } from '#app/use-replica.ts';

export interface HomeRow {
  entity: Entity;
  client: Client | undefined;
  pendingMatches: number;
  progress: EntityProgress | undefined;
}

/** Every visible entity in the order of the clients' names, with how its copy stands; `undefined` while opening. */
export function useHomeRows(): HomeRow[] | undefined {
  const replica = useReplica();
  const { entities: progress } = useStatus();
  const found = useLiveQuery(async () => {
    const [clients, entities, pending] = await Promise.all([clientsOf(replica), entitiesOf(replica), pendingMatchCounts(replica)]);
    return { clients, entities, pending };
  }, [replica]);
  if (!found) return undefined;
  const order = new Map(found.clients.map((client, index) => [client.id, index]));
  const byId = new Map(found.clients.map((client) => [client.id, client]));
  return found.entities
    .map((entity) => ({
      entity,
      client: byId.get(entity.client_id),
      pendingMatches: found.pending.get(entity.id) ?? 0,
      progress: progress.find((one) => one.entity_id === entity.id),
    }))
    .sort((a, b) => (order.get(a.entity.client_id) ?? 0) - (order.get(b.entity.client_id) ?? 0));
}
