import type { PullRow } from './pulls.ts';
import type { RowTables } from './row-tables.ts';
import type { SetKey } from './set-errors.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** Rows came to some scopes of a set, or went from them, within a transaction over `counts` and `pulls`. One that moved came and went. */
export async function countRows(tx: StoreWriting<RowTables>, { noun, set }: SetKey, came: ReadonlyMap<string, number>): Promise<void> {
  const news = [...came].filter(([, count]) => count !== 0);
  if (news.length === 0) return;
  const rows = { ...(await tx.get('counts', [noun, set]))?.rows };
  const uncounted = news.map(([scope]) => scope).filter((scope) => rows[scope] === undefined);
  const pulls = await tx.getMany(
    'pulls',
    uncounted.map((scope): [string, string] => [scope, noun]),
  );
  for (const [index, scope] of uncounted.entries()) rows[scope] = pulls[index]?.rows ?? 0;
  for (const [scope, count] of news) rows[scope] = (rows[scope] ?? 0) + count;
  await tx.put('counts', { noun, set, rows });
}

/** How many rows of a noun are held of each scope, within a transaction over `counts`. @param pulls all there are, which older builds counted in */
export async function countsIn(tx: StoreReading<RowTables>, noun: string, pulls: readonly PullRow[]): Promise<ReadonlyMap<string, number>> {
  const counted = (await tx.list('counts')).filter((record) => record.noun === noun);
  return new Map([
    ...pulls.flatMap((pull): [string, number][] => (pull.noun === noun && pull.rows !== undefined ? [[pull.scope, pull.rows]] : [])),
    ...counted.flatMap(({ rows }) => Object.entries(rows)),
  ]);
}
