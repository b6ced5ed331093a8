import type { Schema } from '#columns/schema.ts';
import type { Table } from '#columns/table.ts';
import type { PullRow } from './pulls.ts';
import type { RowStore, RowTables } from './row-tables.ts';
import { idOfScope, scopeKey } from './scopes.ts';
import type { StoreReading } from './store.ts';

/** Rows by the scope they are of. */
export type RowCounts = Readonly<Record<string, number>>;

/** How many rows of each scope there are in columns of which all are read. */
export function countsOf(table: Table, schema: Schema): RowCounts {
  if (!('entity_id' in schema)) return {};
  const facets = table.select({}).facets('entity_id');
  return Object.fromEntries(facets.map(({ value, count }) => [scopeKey('entity', String(value)), count]));
}

/** The same with the scopes, at 0, of which rows were held when it was counted before: what went of them lies in the columns still. */
export function withCountedBefore(counts: RowCounts, before: RowCounts): RowCounts {
  return { ...Object.fromEntries(Object.keys(before).map((scope) => [scope, 0])), ...counts };
}

/** The same after some came to scopes, or went from them: one that moved came and went. */
export function countsAfter(counts: RowCounts, came: ReadonlyMap<string, number>): RowCounts {
  const after = { ...counts };
  for (const [scope, count] of came) after[scope] = (after[scope] ?? 0) + count;
  return after;
}

interface HeldPlaces {
  entities: readonly { id: string; client_id: string }[];
  pulls: readonly PullRow[];
}

/**
 * How many rows of a noun are held of each scope, within a transaction over `counts`. Of a set that was not written to since an older
 * build did, what that counted with its pulls.
 */
export async function countsIn(
  tx: StoreReading<RowTables>,
  noun: string,
  { entities, pulls }: HeldPlaces,
): Promise<ReadonlyMap<string, number>> {
  const records = (await tx.list('counts')).filter((record) => record.noun === noun);
  const isCounted = new Set(records.map(({ set }) => set));
  const clients = new Map(entities.map(({ id, client_id }) => [id, client_id]));
  const counts = new Map<string, number>();
  for (const { scope, rows, noun: of } of pulls) {
    const client = clients.get(idOfScope('entity', scope) ?? '');
    if (of === noun && Number.isSafeInteger(rows) && !isCounted.has(client ?? '')) counts.set(scope, Number(rows));
  }
  // of an entity that moved there may be rows in two sets
  for (const { rows } of records) for (const [scope, count] of Object.entries(rows)) counts.set(scope, (counts.get(scope) ?? 0) + count);
  return counts;
}

/**
 * Notes of the sets that an older build left without counts whose rows are in them, by where their entities are now and what it counted with
 * its pulls: by counts alone is found which columns an entity left, and it may leave them before anything is written to them.
 */
export async function countOlderSets({ rows }: { rows: RowStore }): Promise<void> {
  await rows.write(['entities', 'counts', 'pulls', 'manifests'], async (tx) => {
    const isCounted = new Set((await tx.list('counts')).map(({ noun, set }) => `${noun} ${set}`));
    const older = (await tx.list('manifests')).filter(({ noun, set }) => !isCounted.has(`${noun} ${set}`));
    if (older.length === 0) return;
    const [entities, pulls] = [await tx.list('entities'), await tx.list('pulls')];
    for (const { noun, set } of older) {
      const scopes = new Set(entities.filter(({ client_id }) => client_id === set).map(({ id }) => scopeKey('entity', id)));
      const counted = pulls.filter((pull) => pull.noun === noun && scopes.has(pull.scope) && Number(pull.rows) > 0);
      // one that was emptied since has nothing to be found
      if (counted.length > 0)
        await tx.put('counts', { noun, set, rows: Object.fromEntries(counted.map(({ scope, rows: held }) => [scope, Number(held)])) });
    }
  });
}

/**
 * The sets in whose columns there are rows of some scopes, each with those scopes; within a transaction over `counts`.
 * @param least rows of a scope; 0 are also those that all went since the columns were begun: what went lies there until it is dropped.
 */
export async function setsHolding(
  tx: StoreReading<RowTables>,
  noun: string,
  scopes: readonly string[],
  least: 0 | 1,
): Promise<{ set: string; scopes: string[] }[]> {
  const records = (await tx.list('counts')).filter((record) => record.noun === noun);
  return records
    .map(({ set, rows }) => ({ set, scopes: scopes.filter((scope) => (rows[scope] ?? -1) >= least) }))
    .filter((held) => held.scopes.length > 0);
}

/**
 * The scopes whose pulls speak of what is in a client's columns; within a transaction over `entities` and `counts`. Of an entity that is
 * in no list at the moment, or went to another client, there may be rows, too.
 */
export async function scopesIn(tx: StoreReading<RowTables>, client: string): Promise<string[]> {
  const listed = (await tx.keys('entities', { index: 'client_id', is: client })).map((id) => scopeKey('entity', id));
  const counted = (await tx.list('counts')).filter(({ set }) => set === client).flatMap(({ rows }) => Object.keys(rows));
  return [scopeKey('client', client), ...new Set([...listed, ...counted])];
}

/** The sets in whose columns there are, or were, rows of such scopes; within a transaction over `counts`. */
export async function setsWith(tx: StoreReading<RowTables>, noun: string, isSuch: (scope: string) => boolean): Promise<string[]> {
  const records = await tx.list('counts');
  return records.flatMap((record) => (record.noun === noun && Object.keys(record.rows).some(isSuch) ? [record.set] : []));
}
