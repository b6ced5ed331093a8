/** What the address of the outbox says: the edit one comes for, by its id. */
export interface OutboxSearch {
  edit?: string | undefined;
}

/** Reads it; what means nothing is left out. */
export function readOutboxSearch(raw: Record<string, unknown>): OutboxSearch {
  return typeof raw.edit === 'string' ? { edit: raw.edit } : {};
}
