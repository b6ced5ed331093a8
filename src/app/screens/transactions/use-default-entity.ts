import { useNavigate } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import type { Entity } from '#contract/organizations.ts';
import { clientsOf, entitiesOf } from '#replica/nouns.ts';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

const key = 'last_entity_id';

/** The entities in the order of their clients; undefined while opening. */
function useEntities(): Entity[] | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities] = await Promise.all([clientsOf(replica), entitiesOf(replica)]);
    const order = new Map(clients.map((client, index) => [client.id, index]));
    return entities.sort((a, b) => (order.get(a.client_id) ?? 0) - (order.get(b.client_id) ?? 0));
  }, [replica]);
}

/**
 * The entity whose transactions are shown: the address's, else the remembered or the first one, which then enters the address.
 * @returns `undefined` while looking, null where there is none to see.
 */
export function useShownEntity(entityId: string | undefined): Entity | null | undefined {
  const { local } = useServices();
  const navigate = useNavigate();
  const entities = useEntities();
  const remembered = local.getItem(key);
  const fallback = entities?.find((entity) => entity.id === remembered) ?? entities?.[0];
  const shown = entityId === undefined ? fallback : entities?.find((entity) => entity.id === entityId);
  const enters = entityId === undefined ? shown?.id : undefined;
  const keeps = shown?.id;
  useEffect(() => {
    if (keeps !== undefined) local.setItem(key, keeps);
  }, [local, keeps]);
  useEffect(() => {
    if (enters !== undefined) void navigate({ to: '/transactions', search: (search) => ({ ...search, entity: enters }), replace: true });
  }, [navigate, enters]);
  return entities === undefined ? undefined : (shown ?? null);
}
