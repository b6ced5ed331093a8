import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';

/** What an address says of whose rows are shown: one entity's, or those of a client's entities, or of `all` clients. */
export interface PlaceSearch {
  entity?: string | undefined;
  client?: string | undefined;
}

/** Somewhere one can look: an entity, all entities of a client, or all clients. */
export interface Place {
  key: string;
  name: string;
  /** The client it stands under; null for all of them. */
  group: { id: string; name: string } | null;
  isInactive: boolean;
  search: PlaceSearch;
}

export function placeKey({ entity, client }: PlaceSearch): string {
  return entity === undefined ? `client ${client}` : `entity ${entity}`;
}

/**
 * The places one can go to, by client.
 * @param withSpans offers several entities as one place, too, where there is more than one.
 */
export function placesOf(clients: readonly Client[], entities: readonly Entity[], withSpans: boolean): Place[] {
  const named = clients.map(({ id, client_name }) => ({ id, name: client_name }));
  const orphans = [...new Set(entities.map(({ client_id }) => client_id))].filter((id) => !clients.some((client) => client.id === id));
  const groups = [...named, ...orphans.map((id) => ({ id, name: 'Client not here yet' }))].map(({ id, name }) => ({
    id,
    name,
    entities: entities.filter(({ client_id }) => client_id === id),
  }));
  const span = (client: string, name: string, group: Place['group']): Place => {
    return { key: placeKey({ client }), name, group, isInactive: false, search: { client } };
  };
  const places = groups.flatMap(({ id, name, entities: own }): Place[] => [
    ...(withSpans && own.length > 1 ? [span(id, `All entities of ${name}`, { id, name })] : []),
    ...own.map((entity) => ({
      key: placeKey({ entity: entity.id }),
      name: entity.entity_name,
      group: { id, name },
      isInactive: !entity.active,
      search: { entity: entity.id },
    })),
  ]);
  const isWorthIt = withSpans && groups.filter((group) => group.entities.length > 0).length > 1;
  return isWorthIt ? [span('all', 'All clients', null), ...places] : places;
}

/** Places whose client or name has a text in it, whatever its case. */
export function findPlaces(places: readonly Place[], text: string): Place[] {
  const wanted = text.trim().toLowerCase();
  return places.filter(({ group, name }) => `${group?.name ?? ''} ${name}`.toLowerCase().includes(wanted));
}
