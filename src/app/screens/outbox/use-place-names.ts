import { useLiveQuery } from 'dexie-react-hooks';
import { shownClientsOf, shownEntitiesOf } from '#replica/places.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { useReplica } from '#app/use-replica.ts';

type Placed = Pick<OutboxRow, 'client_id' | 'entity_id'>;

/**
 * Says which entity and client an edit belongs to; null where it belongs to none, or their names are not on this device. `undefined` while
 * the names are being read: a line that came later would push the others down.
 */
export function usePlaceNames(): ((edit: Placed) => string | null) | undefined {
  const replica = useReplica();
  const names = useLiveQuery(async () => {
    const [clients, entities] = await Promise.all([shownClientsOf(replica), shownEntitiesOf(replica)]);
    return new Map([
      ...clients.map(({ id, client_name }) => [id, client_name] as const),
      ...entities.map(({ id, entity_name }) => [id, entity_name] as const),
    ]);
  }, [replica]);
  if (names === undefined) return undefined;
  return ({ client_id, entity_id }) => {
    const known = [entity_id, client_id].flatMap((id) => (id === null ? [] : (names.get(id) ?? [])));
    return known.length === 0 ? null : known.join(', ');
  };
}
