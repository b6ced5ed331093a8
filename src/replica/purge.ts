import { columnNouns } from './column-nouns.ts';
import { scopesIn } from './counts.ts';
import type { Replica } from './open.ts';
import { countPurge, countReset } from './pulls.ts';
import { type RowNoun, rowNouns, type RowTables } from './row-tables.ts';
import { idOfScope } from './scopes.ts';
import { dropStored } from './set-storage.ts';
import type { StoreReading, StoreWriting, TableName } from './store.ts';

/** The tables of what is dropped with scopes and clients. */
export const purgedTables: readonly TableName<RowTables>[] = [...rowNouns, 'segments', 'cold', 'manifests', 'counts', 'pulls', 'meta'];

/** Drops all that is stored as columns of a client. */
export async function dropColumns(tx: StoreWriting<RowTables>, client: string): Promise<void> {
  for (const { noun } of Object.values(columnNouns)) await dropStored(tx, { noun, set: client });
}

/** What was pulled for some scopes is to be pulled from the beginning. */
export async function resetPulls(tx: StoreWriting<RowTables>, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) await tx.removeAll('pulls', { from: [scope, ''], to: [scope, '\uffff'] });
}

/** What is kept as columns of some scopes is to be pulled from the beginning. */
export async function resetColumnPulls(tx: StoreWriting<RowTables>, scopes: readonly string[]): Promise<void> {
  const nouns = Object.values(columnNouns).map(({ noun }) => noun);
  await tx.removeMany(
    'pulls',
    scopes.flatMap((scope) => nouns.map((noun): [string, string] => [scope, noun])),
  );
}

/** Drops the columns of a client of which not all may be seen, or kept, any more: what still may is pulled from the beginning. */
export async function dropColumnsToPullAnew(tx: StoreWriting<RowTables>, client: string): Promise<void> {
  const scopes = await scopesIn(tx, client);
  await dropColumns(tx, client);
  await resetColumnPulls(tx, scopes);
}

/** Nouns of which an entity has one row, under its own id, in a list of its client or of the person. */
const entityNouns = ['entities', 'entity_worklists', 'value_histories'] as const;

/** Drops all rows of some scopes that are kept a row per record, and what else says anything of them; lists bring back what may be seen. */
export async function dropScopes(tx: StoreWriting<RowTables>, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) {
    for (const noun of rowNouns) await tx.removeAll(noun, { index: '_scope', is: scope });
    const [client, entity] = [idOfScope('client', scope), idOfScope('entity', scope)];
    if (client !== null) {
      await tx.remove('clients', client);
      await tx.removeAll('entities', { index: 'client_id', is: client });
      await tx.removeAll('archived_assets', { index: 'client_id', is: client });
    }
    if (entity !== null) {
      for (const noun of entityNouns) await tx.remove(noun, entity);
      await tx.removeAll('accounts', { index: 'entity_id', is: entity });
    }
  }
  await resetPulls(tx, scopes);
}

async function isListed(tx: StoreReading<RowTables>, scope: string): Promise<boolean> {
  const client = idOfScope('client', scope);
  if (client !== null) return (await tx.get('clients', client)) !== undefined;
  return (await tx.get('entities', idOfScope('entity', scope) ?? '')) !== undefined;
}

/** The lists of the person in which there is something of a client. */
const clientNouns = ['clients', 'entities', 'archived_assets'] as const satisfies readonly RowNoun[];

/** One of these may have told of what went later than the others, which say that it is gone: they are read again. */
async function makeListsDue(tx: StoreWriting<RowTables>): Promise<void> {
  const pulls = await tx.getMany(
    'pulls',
    clientNouns.map((noun): [string, string] => ['user', noun]),
  );
  await tx.putMany(
    'pulls',
    pulls.flatMap((pull) => (pull ? [{ ...pull, last_complete_at: null }] : [])),
  );
}

/**
 * Drops all of a scope that may no longer be seen, and the columns of the clients it lay in; what may still be seen of those is pulled
 * anew. One that came back into a list since that was found is left.
 */
export async function purgeScope(replica: Replica, scope: string, clients: readonly string[]): Promise<void> {
  const { rows } = replica;
  if (await rows.read(['clients', 'entities'], (tx) => isListed(tx, scope))) return;
  await rows.write(purgedTables, async (tx) => {
    if (await isListed(tx, scope)) return;
    await countReset(tx);
    await countPurge(tx);
    await dropScopes(tx, [scope]);
    if (idOfScope('client', scope) !== null) await makeListsDue(tx);
    for (const holder of clients) await dropColumnsToPullAnew(tx, holder);
  });
}
