import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { TransactionSearch } from './transaction-search.ts';

/** What the address calls every client one may see. */
export const allClients = 'all';

/** Whose transactions are shown: of one entity, of all entities of a client, or of all clients. */
export interface Scope {
  /** Changes when another place is shown. */
  key: string;
  name: string;
  clientIds: readonly string[];
  entities: readonly Entity[];
  /** Rows of several entities may be among them, so each row says whose it is. */
  spansEntities: boolean;
}

/** Everything here one can look at. */
export interface Places {
  clients: Client[];
  /** In the order of their clients. */
  entities: Entity[];
}

function ofEntity(entity: Entity): Scope {
  return { key: entity.id, name: entity.entity_name, clientIds: [entity.client_id], entities: [entity], spansEntities: false };
}

/** The place an address names; null where nothing of it is here. */
export function scopeOf({ entity, client }: Pick<TransactionSearch, 'entity' | 'client'>, { clients, entities }: Places): Scope | null {
  if (entity !== undefined) {
    const found = entities.find(({ id }) => id === entity);
    return found ? ofEntity(found) : null;
  }
  const isAll = client === allClients;
  const shown = entities.filter(({ client_id }) => isAll || client_id === client);
  if (shown.length === 0) return null;
  const clientIds = [...new Set(shown.map(({ client_id }) => client_id))];
  const name = isAll ? 'all clients' : `all entities of ${clients.find(({ id }) => id === client)?.client_name ?? 'a client'}`;
  return { key: `client ${client}`, name, clientIds, entities: shown, spansEntities: true };
}
