import type { Table } from 'dexie';
import type { Replica } from './open.ts';
import { newPull, type PullRow } from './pulls.ts';
import type { RowNoun } from './replica-database.ts';

/** What applying needs to know of a server row. */
interface ServerRow {
  id: string;
  version?: number;
}

type ScopedRow = ServerRow & { _scope: string };

/** The key of a scope: `user`, `client:<id>` or `entity:<id>`. */
export function scopeKey(per: 'user' | 'client' | 'entity', id: string): string {
  return per === 'user' ? 'user' : `${per}:${id}`;
}

/**
 * Writes what a scope's list answered, and that it was read, in one transaction.
 * With `isWhole` (one answer holds the whole set) rows the answer no longer has are removed; otherwise none is: a list read in
 * pages may have missed one.
 */
export async function applyList(
  { rows }: Replica,
  list: { noun: RowNoun; scope: string; rows: readonly ServerRow[]; isWhole: boolean; now: number },
): Promise<void> {
  const table = rows.table<ScopedRow, string>(list.noun);
  await rows.transaction('rw', table, rows.pulls, async () => {
    if (list.isWhole) {
      const kept = new Set(list.rows.map((row) => row.id));
      const gone = (await table.where({ _scope: list.scope }).primaryKeys()).filter((id) => !kept.has(id));
      await table.bulkDelete(gone);
    }
    await putNewer(table, list.scope, list.rows);
    const pull = (await rows.pulls.get([list.scope, list.noun])) ?? newPull(list.scope, list.noun);
    await rows.pulls.put({ ...pull, phase: 'steady', rows: list.rows.length, last_complete_at: list.now, is_denied: false });
  });
}

/** Writes single rows an answer brought, where they are newer than what is held. */
export async function applyRows(
  { rows }: Replica,
  noun: RowNoun,
  scope: string,
  fresh: readonly { id: string; version?: number }[],
): Promise<void> {
  const table = rows.table<ScopedRow, string>(noun);
  await rows.transaction('rw', table, () => putNewer(table, scope, fresh));
}

/** An answer asked for before a newer row came must not take that row's place. */
async function putNewer(table: Table<ScopedRow, string>, scope: string, fresh: readonly ServerRow[]): Promise<void> {
  const held = await table.bulkGet(fresh.map((row) => row.id));
  const newer = fresh.filter((row, index) => (held[index]?.version ?? -1) <= (row.version ?? 0));
  await table.bulkPut(newer.map((row) => ({ ...row, _scope: scope })));
}

/** Every pull's standing, to plan the next. */
export function allPulls({ rows }: Replica): Promise<PullRow[]> {
  return rows.pulls.toArray();
}

/** Marks a scope the server refuses, so that it is not asked for again and again. */
export async function denyPull({ rows }: Replica, scope: string, noun: string): Promise<void> {
  await rows.transaction('rw', rows.pulls, async () => {
    const pull = (await rows.pulls.get([scope, noun])) ?? newPull(scope, noun);
    await rows.pulls.put({ ...pull, is_denied: true });
  });
}

/** Makes everything due, or what concerns one scope and noun. */
export async function makeDue({ rows }: Replica, only?: { scope: string; noun: string }): Promise<void> {
  const pulls = only ? rows.pulls.where(only) : rows.pulls.toCollection();
  await pulls.modify({ last_complete_at: null });
}

/** A renewed session may see more: refused scopes are asked for again. */
export async function forgetDenials({ rows }: Replica): Promise<void> {
  await rows.pulls.filter((pull) => pull.is_denied).modify({ is_denied: false });
}
