import type { Account } from '#contract/accounts.ts';
import type { ShownClient, ShownEntity, ShownOrganization } from '#replica/places.ts';
import type { Entry } from './search.ts';

/** The rows one can go to. */
export interface PlaceRows {
  organizations: readonly Pick<ShownOrganization, 'id' | 'name'>[];
  clients: readonly Pick<ShownClient, 'id' | 'client_name' | 'organization_id'>[];
  entities: readonly Pick<ShownEntity, 'id' | 'entity_name' | 'client_id' | 'active'>[];
  accounts: readonly Pick<Account, 'id' | 'account_name' | 'entity_id' | 'is_inactive'>[];
}

const path = (...names: (string | undefined)[]): string => names.filter(Boolean).join(' / ');

/** Clients, entities and accounts as entries that say where each is; organizations are named only where there are several. */
export function placeEntries({ organizations, clients, entities, accounts }: PlaceRows): Entry[] {
  const organizationNames = new Map(organizations.length > 1 ? organizations.map(({ id, name }) => [id, name]) : []);
  const clientPlaces = new Map(
    clients.map((client) => [client.id, path(organizationNames.get(client.organization_id), client.client_name)]),
  );
  const entityPlaces = new Map(entities.map((entity) => [entity.id, path(clientPlaces.get(entity.client_id), entity.entity_name)]));
  return [
    ...clients.map(
      ({ id, client_name: name, organization_id: organizationId }): Entry => ({
        key: `client ${id}`,
        kind: 'client',
        id,
        name,
        place: organizationNames.get(organizationId) ?? '',
      }),
    ),
    ...entities.map(
      ({ id, entity_name: name, client_id: clientId, active }): Entry => ({
        key: `entity ${id}`,
        kind: 'entity',
        id,
        name,
        place: clientPlaces.get(clientId) ?? '',
        isInactive: !active,
      }),
    ),
    ...accounts.map(
      ({ id, account_name: name, entity_id: entityId, is_inactive: isInactive }): Entry => ({
        key: `account ${id}`,
        kind: 'account',
        id,
        name,
        place: entityPlaces.get(entityId) ?? '',
        entityId,
        isInactive,
      }),
    ),
  ];
}
