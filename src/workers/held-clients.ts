import { columnNouns } from '#replica/column-nouns.ts';
import { setsHolding } from '#replica/counts.ts';
import type { ClientSets } from '#replica/feed-page.ts';
import type { Replica } from '#replica/open.ts';
import { scopeKey } from '#replica/scopes.ts';
import { setRevisions } from '#replica/watch.ts';

/**
 * The client under which an entity is here: the list's, or of one in no list, or not in it again yet, whose rows were not let go of, the
 * one whose columns hold them; undefined where nothing is here.
 */
export function clientHolding({ rows }: Replica, entityId: string): Promise<string | undefined> {
  return rows.read(['entities', 'counts'], async (tx) => {
    const entity = await tx.get('entities', entityId);
    if (entity) return entity.client_id;
    const [held] = await setsHolding(tx, columnNouns.transactions.noun, [scopeKey('entity', entityId)], 1);
    return held?.set;
  });
}

/** The clients in whose columns there are, or were, transactions of some entities: what went lies there until it is dropped. */
export async function clientsWithRowsOf(replica: Replica, sets: ClientSets, isWanted: (entityId: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { noun, set: client } of await setRevisions(replica.rows)) {
    if (noun !== columnNouns.transactions.noun) continue;
    const set = await sets.transactions(client);
    const entities = await set.storedCodes('entity_id');
    if (entities.some((id) => id !== null && isWanted(id))) found.push(client);
  }
  return found;
}
