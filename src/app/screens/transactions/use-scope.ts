import { useNavigate } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useMemo } from 'react';
import { clientsOf, entitiesOf } from '#replica/nouns.ts';
import { useServices } from '#app/services.tsx';
import { keptKeys } from '#app/kept-keys.ts';
import { useReplica } from '#app/use-replica.ts';
import { type Places, type Scope, scopeOf } from './scope.ts';
import type { TransactionSearch } from './transaction-search.ts';

function usePlaces(): Places | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities] = await Promise.all([clientsOf(replica), entitiesOf(replica)]);
    const order = new Map(clients.map((client, index) => [client.id, index]));
    return { clients, entities: entities.sort((a, b) => (order.get(a.client_id) ?? 0) - (order.get(b.client_id) ?? 0)) };
  }, [replica]);
}

/**
 * The place whose transactions are shown: the address's, else the remembered or the first entity, which then enters the address.
 * @returns `undefined` while looking, null where there is none to see.
 */
export function useScope({ entity, client }: TransactionSearch): Scope | null | undefined {
  const { local } = useServices();
  const navigate = useNavigate();
  const places = usePlaces();
  const remembered = local.getItem(keptKeys.lastEntity.key);
  const isUnsaid = entity === undefined && client === undefined;
  const fallback = places?.entities.find(({ id }) => id === remembered) ?? places?.entities[0];
  const enters = isUnsaid ? fallback?.id : undefined;
  const scope = useMemo(
    () => places && scopeOf(isUnsaid ? { entity: enters } : { entity, client }, places),
    [places, isUnsaid, enters, entity, client],
  );
  const keeps = scope && !scope.spansEntities ? scope.key : undefined;
  useEffect(() => {
    if (keeps !== undefined) local.setItem(keptKeys.lastEntity.key, keeps);
  }, [local, keeps]);
  useEffect(() => {
    if (enters !== undefined) void navigate({ to: '/transactions', search: (search) => ({ ...search, entity: enters }), replace: true });
  }, [navigate, enters]);
  return isUnsaid && places && !fallback ? null : scope;
}
