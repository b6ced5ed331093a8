import { columnNouns } from './column-nouns.ts';
import { setsHolding } from './counts.ts';
import { type FeedState, feedStateIn } from './feed-state.ts';
import type { Replica } from './open.ts';
import { countReset } from './pulls.ts';
import { dropColumnsToPullAnew, purgedTables } from './purge.ts';
import type { RowTables } from './row-tables.ts';
import { idOfScope, scopeKey } from './scopes.ts';
import type { StoreReading } from './store.ts';

/** The client of each entity, by the entity's scope. */
type EntityPlaces = ReadonlyMap<string, string>;

/** Where entities are: where their list has them or, of what is in no list, where the feed had them last. */
export function placesOf(entities: readonly { id: string; client_id: string }[], feed: FeedState | null): EntityPlaces {
  const told = (feed?.scopes ?? []).flatMap(({ key, parent }): [string, string][] => {
    const client = idOfScope('client', parent);
    return client === null ? [] : [[key, client]];
  });
  const listed = entities.map(({ id, client_id }): [string, string] => [scopeKey('entity', id), client_id]);
  return new Map([...told, ...listed]);
}

/** The same within a transaction over `entities` and `meta`. */
export async function placesIn(tx: StoreReading<RowTables>): Promise<EntityPlaces> {
  return placesOf(await tx.list('entities'), await feedStateIn(tx));
}

/**
 * The clients in whose columns there are, or were, transactions of entities that are in another client by now; within a transaction over
 * `counts`.
 */
export async function clientsLeft(tx: StoreReading<RowTables>, places: EntityPlaces): Promise<string[]> {
  const holding = await setsHolding(tx, columnNouns.transactions.noun, [...places.keys()], 0);
  return holding.flatMap(({ set, scopes }) => (scopes.some((scope) => places.get(scope) !== set) ? [set] : []));
}

/**
 * Drops the columns of a client that entities left for another one, to be pulled anew where all that was in them is now: what is only taken
 * out of columns stays on the disk for a while, and nobody would look for it there once it may no longer be seen.
 */
export function dropLeftColumns({ rows }: Replica, client: string): Promise<void> {
  return rows.write(purgedTables, async (tx) => {
    const left = await clientsLeft(tx, await placesIn(tx));
    if (!left.includes(client)) return;
    await countReset(tx);
    await dropColumnsToPullAnew(tx, client);
  });
}
