import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import { clientsOf, entitiesOf, pendingMatchCounts } from '#replica/nouns.ts';
import type { EntityProgress } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { useReplica } from '#app/use-replica.ts';

export interface HomeRow {
  entity: Entity;
  client: Client | undefined;
  pendingMatches: number;
  progress: EntityProgress | undefined;
  /** In the usual order: the first of its client, whose name need not be said again below. */
  isFirstOfClient: boolean;
}

/** Every visible entity in the order of the clients' names, with how its copy stands; `undefined` while opening. */
export function useHomeRows(): HomeRow[] | undefined {
  const replica = useReplica();
  const { entities: progress } = useStatus();
  const found = useLiveQuery(async () => {
    const [clients, entities, pending] = await Promise.all([clientsOf(replica), entitiesOf(replica), pendingMatchCounts(replica)]);
    return { clients, entities, pending };
  }, [replica]);
  return useMemo(() => found && homeRows(found, progress), [found, progress]);
}

interface Found {
  clients: Client[];
  entities: Entity[];
  pending: ReadonlyMap<string, number>;
}

function homeRows(found: Found, progress: readonly EntityProgress[]): HomeRow[] {
  const order = new Map(found.clients.map((client, index) => [client.id, index]));
  const byId = new Map(found.clients.map((client) => [client.id, client]));
  const sorted = found.entities.toSorted((a, b) => (order.get(a.client_id) ?? 0) - (order.get(b.client_id) ?? 0));
  return sorted.map((entity, index) => ({
    entity,
    client: byId.get(entity.client_id),
    pendingMatches: found.pending.get(entity.id) ?? 0,
    progress: progress.find((one) => one.entity_id === entity.id),
    isFirstOfClient: sorted[index - 1]?.client_id !== entity.client_id,
  }));
}
