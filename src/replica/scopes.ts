/** What something is kept for: once for the user, or for each client or entity they see. */
export type ScopeKind = 'user' | 'client' | 'entity';

/** The key of a scope: `user`, `client:<id>` or `entity:<id>`. */
export function scopeKey(per: ScopeKind, id: string): string {
  return per === 'user' ? 'user' : `${per}:${id}`;
}

/** The id in the key of a client's or an entity's scope; null for a scope of another kind. */
export function idOfScope(per: 'client' | 'entity', key: string): string | null {
  return key.startsWith(`${per}:`) ? key.slice(per.length + 1) : null;
}
