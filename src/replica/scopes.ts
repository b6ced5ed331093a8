/** What something is kept for: once for the user, or for each client or entity they see. */
export type ScopeKind = 'user' | 'client' | 'entity';

/** The key of a scope: `user`, `client:<id>` or `entity:<id>`. */
export function scopeKey(per: ScopeKind, id: string): string {
  return per === 'user' ? 'user' : `${per}:${id}`;
}

/**
 * The scope that a row of a list of the person is, or is in: a client's, an entity's, that of an archived asset's client. Null where it is
 * in none, or lies in its list's own.
 */
export function placeOfRow(noun: string, { id, client_id: client = '' }: { id: string; client_id?: string }): string | null {
  if (noun === 'clients') return scopeKey('client', id);
  if (noun === 'entities') return scopeKey('entity', id);
  return noun === 'archived_assets' ? scopeKey('client', client) : null;
}

/** The id in the key of a client's or an entity's scope; null for a scope of another kind. */
export function idOfScope(per: 'client' | 'entity', key: string): string | null {
  return key.startsWith(`${per}:`) ? key.slice(per.length + 1) : null;
}
