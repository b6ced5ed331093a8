import { columnNouns } from './column-nouns.ts';
import { setsWith } from './counts.ts';
import { generationName } from './generation.ts';
import type { Replica } from './open.ts';
import { countPurge, countReset, newPull } from './pulls.ts';
import { dropColumns, dropScopes, purgedTables } from './purge.ts';
import { type RowNoun, rowNouns, type RowTables } from './row-tables.ts';
import { type PlacedRow, placeOfRow, scopeKey } from './scopes.ts';
import { dropStored } from './set-storage.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** A scope whose changes are told; `parent` is the one it lies in: of an entity its client, of a client `user`. */
export interface FollowedScope {
  key: string;
  parent: string;
}

/** How far this copy follows the feed of a server. Written with the changes it speaks of, so it never claims more than is held. */
export interface FeedState {
  /** Which database the cursor is of. */
  server_gen: string;
  cursor: string;
  perm_version: number;
  /** Beside `user`, which everybody has. */
  scopes: FollowedScope[];
  /** Clients that are to be on this device again: of what is theirs it tells with its next answer. */
  awaited?: string[];
  /** The server takes a change only on the version it names. Older builds did not note it. */
  compares_versions?: boolean;
}

const feedName = 'feed';

/** Where the copy stands; null where it follows no feed. */
export function feedStateOf({ rows }: Replica): Promise<FeedState | null> {
  return rows.read(['meta'], feedStateIn);
}

export async function feedStateIn(tx: StoreReading<RowTables>): Promise<FeedState | null> {
  const kept = await tx.get('meta', feedName);
  return kept ? (kept.value as FeedState) : null;
}

export function putFeedState(tx: StoreWriting<RowTables>, state: FeedState): Promise<void> {
  return tx.put('meta', { k: feedName, value: state });
}

/** Whether a row of a list of the person, or of a client, may be seen: the list itself says so only once it is read. */
function isInSight(noun: RowNoun, row: PlacedRow, places: ReadonlySet<string>): boolean {
  const place = placeOfRow(noun, row);
  return place === null || places.has(place);
}

/** The clients that entities say they lie in, and that may not be seen: perhaps the entity went to another one since. */
function lostClientsOf(entities: readonly PlacedRow[], places: ReadonlySet<string>): string[] {
  const clients = new Set(entities.flatMap(({ client_id: client }) => (client === undefined ? [] : scopeKey('client', client))));
  return [...clients].filter((client) => !places.has(client));
}

/**
 * Begins to follow a feed at a cursor: whatever is held may be older than it, so all lists are to be read again. The rows stay
 * in sight meanwhile, but for those that may no longer be seen.
 * @param now what may be seen: `seen` all scopes, also what is left out on the device; `unseen` clients in whose columns there are rows
 *   that may not: they are dropped, and to be closed meanwhile.
 * @returns further clients in whose columns there are such rows, of a page that came meanwhile: nothing was begun then.
 */
export function startFeed(
  { rows }: Replica,
  state: FeedState,
  now: { seen: readonly string[]; unseen: readonly string[] },
): Promise<readonly string[]> {
  const { unseen } = now;
  const seen = new Set(['user', ...state.scopes.map(({ key }) => key)]);
  const places = new Set(now.seen);
  return rows.write(purgedTables, async (tx) => {
    const others = await setsWith(tx, columnNouns.transactions.noun, (scope) => !seen.has(scope));
    const missed = others.filter((set) => !unseen.includes(set));
    if (missed.length > 0) return missed;
    let isLess = unseen.length > 0;
    const lostPlaces: string[] = [];
    for (const noun of rowNouns) {
      const held: (PlacedRow & { _scope: string })[] = await tx.list(noun);
      const lost = held.filter((row) => !seen.has(row._scope) || !isInSight(noun, row, places));
      await tx.removeMany(
        noun,
        lost.map(({ id }) => id),
      );
      if (noun === 'clients' || noun === 'entities') lostPlaces.push(...lost.flatMap((row) => placeOfRow(noun, row) ?? []));
      // the list of clients may not have been read so far: then a client that went is known by these alone
      if (noun === 'entities') lostPlaces.push(...lostClientsOf(held, places));
      isLess ||= lost.length > 0;
    }
    // what their clients' lists say of them
    await dropScopes(tx, lostPlaces);
    for (const client of unseen) await dropColumns(tx, client);
    // begun, not forgotten: by these is known of which scopes there are rows, should a list no longer name them
    const begun = (await tx.list('pulls')).filter(({ scope }) => seen.has(scope));
    await tx.removeAll('pulls');
    await tx.putMany(
      'pulls',
      begun.map(({ scope, noun }) => newPull(scope, noun)),
    );
    await countReset(tx);
    if (isLess || lostPlaces.length > 0) await countPurge(tx);
    await tx.put('meta', { k: generationName, value: state.server_gen });
    await putFeedState(tx, state);
    return [];
  });
}

/** Follows no feed any more: the server tells nothing. What is held stays, and is read again where it is old. */
export function forgetFeed({ rows }: Replica): Promise<void> {
  return rows.write(['meta', 'gone'], async (tx) => {
    // that a row is there again which it told went is told by its list alone from now on, in whatever version
    await tx.removeAll('gone');
    await tx.remove('meta', feedName);
  });
}

/** Lets go all rows: they are another database's, whose versions say nothing about the present one's. The outbox is left alone. */
export function dropRows({ rows }: Replica): Promise<void> {
  const tables = [...rowNouns, 'segments', 'cold', 'counts', 'pulls', 'gone'] as const;
  return rows.write([...tables, 'manifests', 'meta'], async (tx) => {
    for (const { noun, set } of await tx.list('manifests')) await dropStored(tx, { noun, set });
    for (const table of tables) await tx.removeAll(table);
    await countReset(tx);
    await countPurge(tx);
    await tx.removeMany('meta', [feedName, generationName]);
  });
}
