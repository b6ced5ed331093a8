/** What something is kept for: once for the user, or for each client or entity they see. */
export type ScopeKind = 'user' | 'client' | 'entity';

/** The key of a scope: `user`, `client:<id>` or `entity:<id>`. */
export function scopeKey(per: ScopeKind, id: string): string {
  return per === 'user' ? 'user' : `${per}:${id}`;
}

/** A row as far as it says where it lies. */
export interface PlacedRow {
  id: string;
  client_id?: string;
  entity_id?: string;
}

/**
 * The scope that a row of a list of the person, or of a client, is or is in: a client's, an entity's, also that of an account or of figures,
 * that of an archived asset's client. Null where it is in none, or lies in its list's own.
 */
export function placeOfRow(noun: string, { id, client_id: client = '', entity_id: entity = '' }: PlacedRow): string | null {
  if (noun === 'clients') return scopeKey('client', id);
  if (noun === 'entities' || noun === 'entity_worklists' || noun === 'value_histories') return scopeKey('entity', id);
  if (noun === 'accounts') return scopeKey('entity', entity);
  return noun === 'archived_assets' ? scopeKey('client', client) : null;
}

/** The id in the key of a client's or an entity's scope; null for a scope of another kind. */
export function idOfScope(per: 'client' | 'entity', key: string): string | null {
  return key.startsWith(`${per}:`) ? key.slice(per.length + 1) : null;
}
