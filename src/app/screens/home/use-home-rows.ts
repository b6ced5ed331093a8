import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import { byUrgency, type Work, workOf } from '#domain/worklist.ts';
import { pendingMatchCounts, worklistsOf } from '#replica/nouns.ts';
import { shownClientsOf, shownEntitiesOf } from '#replica/places.ts';
import type { EntityProgress } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

export interface HomeRow {
  entity: Entity;
  client: Client | undefined;
  work: Work;
  progress: EntityProgress | undefined;
}

/** Every visible entity with what there is to do for it, the most urgent first; `undefined` while opening. */
export function useHomeRows(): HomeRow[] | undefined {
  const { clock } = useServices();
  const replica = useReplica();
  const { entities: progress } = useStatus();
  const found = useLiveQuery(async () => {
    const [clients, entities, worklists, pending] = await Promise.all([
      shownClientsOf(replica),
      shownEntitiesOf(replica),
      worklistsOf(replica),
      pendingMatchCounts(replica),
    ]);
    return { clients, entities, worklists, pending, now: clock() };
  }, [replica, clock]);
  return useMemo(() => found && homeRows(found, progress), [found, progress]);
}

interface Found {
  clients: readonly Client[];
  entities: readonly Entity[];
  worklists: ReadonlyMap<string, EntityWorklist>;
  pending: ReadonlyMap<string, number>;
  /** When they were read. */
  now: number;
}

/** Rows of one urgency stand by client and name. */
function homeRows({ clients, entities, worklists, pending, now }: Found, progress: readonly EntityProgress[]): HomeRow[] {
  const order = new Map(clients.map((client, index) => [client.id, index]));
  const byId = new Map(clients.map((client) => [client.id, client]));
  const standing = new Map(progress.map((one) => [one.entity_id, one]));
  return entities
    .toSorted((a, b) => (order.get(a.client_id) ?? 0) - (order.get(b.client_id) ?? 0))
    .map((entity): HomeRow => {
      const here = standing.get(entity.id);
      // of what is not all here the server knows better
      const counted = here?.phase === 'steady' ? (pending.get(entity.id) ?? 0) : null;
      const worklist = worklists.get(entity.id);
      const local = worklist ? counted : (counted ?? pending.get(entity.id) ?? null);
      return { entity, client: byId.get(entity.client_id), work: workOf(entity, worklist, local, now), progress: here };
    })
    .toSorted((a, b) => byUrgency(a.work, b.work));
}
