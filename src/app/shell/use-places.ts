import { useParams, useSearch } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { clientsOf, entitiesOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';
import { type Place, placeKey, placesOf } from './places.ts';

/** Places by client; several entities as one place only where the screen can show them so. */
export function usePlaces(withSpans: boolean): Place[] | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities] = await Promise.all([clientsOf(replica), entitiesOf(replica)]);
    return placesOf(clients, entities, withSpans);
  }, [replica, withSpans]);
}

/** The key of the place an address names, if it names one. */
export function usePlaceHere(): string | undefined {
  const search = useSearch({ strict: false });
  const params = useParams({ strict: false });
  const entity = params.entityId ?? search.entity;
  return entity === undefined && search.client === undefined
    ? undefined
    : placeKey(entity === undefined ? { client: search.client } : { entity });
}
