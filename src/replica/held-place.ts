import type { Replica } from './open.ts';
import { pullIn } from './pulls.ts';
import { scopeKey } from './scopes.ts';

/** An entity or client as the copy has it. */
export interface HeldPlace {
  /** `client:<id>` or `entity:<id>`. */
  key: string;
  /** Null where the copy lacks it. */
  name: string | null;
  /** Its list was read since anything began anew: what it lacks may not be seen, or is no more. */
  isListRead: boolean;
}

/** How an entity, or without one a client, is held; null for neither. */
export async function heldPlaceOf(
  { rows }: Replica,
  place: { entity?: string | undefined; client?: string | undefined },
): Promise<HeldPlace | null> {
  const { entity, client } = place;
  return rows.read(['clients', 'entities', 'pulls'], async (tx) => {
    const isListRead = async (noun: 'clients' | 'entities'): Promise<boolean> =>
      (await pullIn(tx, scopeKey('user', ''), noun)).last_complete_at !== null;
    if (entity !== undefined) {
      const name = (await tx.get('entities', entity))?.entity_name ?? null;
      return { key: scopeKey('entity', entity), name, isListRead: await isListRead('entities') };
    }
    if (client === undefined) return null;
    const name = (await tx.get('clients', client))?.client_name ?? null;
    return { key: scopeKey('client', client), name, isListRead: await isListRead('clients') };
  });
}
