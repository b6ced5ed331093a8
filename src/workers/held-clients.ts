import { columnNouns } from '#replica/column-nouns.ts';
import { setHolding } from '#replica/counts.ts';
import type { Replica } from '#replica/open.ts';
import { scopeKey } from '#replica/scopes.ts';

/**
 * The client under which an entity is here: the list's, or of one in no list, or not in it again yet, whose rows were not let go of, the
 * one whose columns hold them; undefined where nothing is here.
 */
export function clientHolding({ rows }: Replica, entityId: string): Promise<string | undefined> {
  return rows.read(['entities', 'counts'], async (tx) => {
    const entity = await tx.get('entities', entityId);
    return entity?.client_id ?? setHolding(tx, columnNouns.transactions.noun, scopeKey('entity', entityId));
  });
}
