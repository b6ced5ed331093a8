import type { ApiCall } from '#api-client/call.ts';
import { listTransactions } from '#contract/transactions.ts';
import { ApiError } from '#contract/errors.ts';
import { markComplete } from '#replica/apply.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { setsHolding } from '#replica/counts.ts';
import type { ClientSets } from '#replica/feed-page.ts';
import { entitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { pullAnew, purgeScope } from '#replica/purge.ts';
import { idOfScope, scopeKey } from '#replica/scopes.ts';
import { clientsWithRowsOf } from './held-clients.ts';

interface LostPorts {
  replica: Replica;
  call: ApiCall;
  sets: ClientSets;
  now: () => number;
}

/**
 * A scope that is held and no longer among the lists, at a server that tells nothing by itself: everything of it is let go once the
 * server refuses it, too, or has nothing of it.
 * @param isRefused the server refused it before.
 */
export async function letGoOfLost({ replica, call, sets, now }: LostPorts, scope: string, isRefused: boolean): Promise<void> {
  const entity = idOfScope('entity', scope);
  if (!isRefused && entity !== null && (await isReadable(call, entity))) {
    await markComplete(replica, scope, 'transactions', now());
    return;
  }
  const entities = new Set((await entitiesOf(replica)).map(({ id }) => id));
  const clients = await clientsWithRowsOf(replica, sets, (id) => !entities.has(id));
  await sets.without(clients, () => purgeScope(replica, scope, clients));
}

async function isReadable(call: ApiCall, entity_id: string): Promise<boolean> {
  try {
    return (await call(listTransactions, { entity_id, start_date: '1970-01-01', limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'permission_denied' || error.code === 'not_found')) return false;
    throw error;
  }
}

/** Rows taken out of columns at once. */
const takenAtOnce = 2_000;

/**
 * Entities went to another client: what a client's columns hold of them is taken out, and pulled anew where they are now. That is noted
 * first: whatever ends this, it goes on with what is still there.
 */
export async function letGoOfLeft({ replica, sets }: Pick<LostPorts, 'replica' | 'sets'>, client: string): Promise<void> {
  const elsewhere = (await entitiesOf(replica)).filter((entity) => entity.client_id !== client);
  const holding = await replica.rows.read(['counts'], (tx) =>
    setsHolding(
      tx,
      columnNouns.transactions.noun,
      elsewhere.map(({ id }) => scopeKey('entity', id)),
    ),
  );
  const left = holding.find(({ set }) => set === client)?.scopes ?? [];
  await pullAnew(replica, left);
  const set = await sets.transactions(client);
  for (;;) {
    const { selection, overlay } = await set.select(() => ({
      where: [{ column: 'entity_id', in: left.map((scope) => idOfScope('entity', scope) ?? '') }],
    }));
    if (selection.count === 0) return;
    const rows = await set.rowsOf(selection.window(0, Math.min(selection.count, takenAtOnce)), overlay);
    // wherever they are now, and in whatever version, here they are not
    await set.change({ rows: [], removed: rows.map(({ id }) => ({ id, version: Infinity })) });
  }
}
