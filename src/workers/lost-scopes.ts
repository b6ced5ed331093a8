import type { ApiCall } from '#api-client/call.ts';
import { listTransactions } from '#contract/transactions.ts';
import { ApiError } from '#contract/errors.ts';
import { markThere } from '#replica/apply.ts';
import type { ClientSets } from '#replica/feed-page.ts';
import { dropLeftColumns } from '#replica/left-columns.ts';
import { entitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { purgeScope } from '#replica/purge.ts';
import { idOfScope } from '#replica/scopes.ts';
import { clientsWithRowsOf } from './held-clients.ts';
import { beginning } from './transaction-pages.ts';

interface LostPorts {
  replica: Replica;
  call: ApiCall;
  sets: ClientSets;
  now: () => number;
}

/**
 * A scope that is held and no longer among the lists, at a server that tells nothing by itself: everything of it is let go once the
 * server refuses it, too, or has nothing of it.
 */
export async function letGoOfLost({ replica, call, sets, now }: LostPorts, scope: string): Promise<void> {
  const entity = idOfScope('entity', scope);
  if (entity !== null && (await isReadable(call, entity))) {
    await markThere(replica, scope, 'transactions', now());
    return;
  }
  const entities = new Set((await entitiesOf(replica)).map(({ id }) => id));
  const clients = await clientsWithRowsOf(replica, sets, (id) => !entities.has(id));
  await sets.without(clients, () => purgeScope(replica, scope, clients));
}

async function isReadable(call: ApiCall, entity_id: string): Promise<boolean> {
  try {
    return (await call(listTransactions, { entity_id, start_date: beginning, limit: 1 })).length > 0;
  } catch (error) {
    // what somebody on the way refuses takes nothing from this device
    if (error instanceof ApiError && error.isSaid && (error.code === 'permission_denied' || error.code === 'not_found')) return false;
    throw error;
  }
}

/** Entities went from a client to another one: nothing stays where they were, be it to be seen or not. */
export function letGoOfLeft({ replica, sets }: Pick<LostPorts, 'replica' | 'sets'>, client: string): Promise<void> {
  return sets.without([client], () => dropLeftColumns(replica, client));
}
