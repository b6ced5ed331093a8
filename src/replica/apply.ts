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

/** How many edits were settled in a scope so far, to be told to {@link applyList} with a list that is asked for now. */
export async function settledEdits({ rows }: Replica, scope: string, noun: RowNoun): Promise<number> {
  return (await rows.pulls.get([scope, noun]))?.settled ?? 0;
}

/** What a scope's list answered. */
interface AnsweredList {
  noun: RowNoun;
  scope: string;
  rows: readonly ServerRow[];
  /** One answer holds the whole set, so what it lacks is gone. A list read in pages may have missed a row. */
  isWhole: boolean;
  /** Edits that were settled in the scope when it was asked for. */
  settledBefore: number;
  now: number;
}

/**
 * Writes what a scope's list answered, and that it was read, in one transaction. A whole list becomes what is held; one that
 * was asked for before an edit was settled knows nothing of that edit, and is asked for again.
 */
export async function applyList({ rows }: Replica, list: AnsweredList): Promise<void> {
  const table = rows.table<ScopedRow, string>(list.noun);
  await rows.transaction('rw', table, rows.pulls, async () => {
    const pull = (await rows.pulls.get([list.scope, list.noun])) ?? newPull(list.scope, list.noun);
    const isOutOfDate = (pull.settled ?? 0) !== list.settledBefore;
    if (list.isWhole && !isOutOfDate) {
      const kept = new Set(list.rows.map((row) => row.id));
      const gone = (await table.where({ _scope: list.scope }).primaryKeys()).filter((id) => !kept.has(id));
      await table.bulkDelete(gone);
      // whatever their versions: a row made anew under its id begins again
      await table.bulkPut(list.rows.map((row) => ({ ...row, _scope: list.scope })));
    }
    if (!list.isWhole) await putNewer(table, list.scope, list.rows);
    const last_complete_at = isOutOfDate ? null : list.now;
    await rows.pulls.put({ ...pull, phase: 'steady', rows: list.rows.length, last_complete_at, is_denied: false });
  });
}

/** Writes the row an accepted edit left, where it is newer than what is held; the list around it is read again. */
export async function settleRow({ rows }: Replica, noun: RowNoun, scope: string, row: ServerRow): Promise<void> {
  const table = rows.table<ScopedRow, string>(noun);
  await rows.transaction('rw', table, rows.pulls, async () => {
    await putNewer(table, scope, [row]);
    await countSettled(rows.pulls, scope, noun);
  });
}

/** Removes the row an accepted edit removed; the list around it is read again. */
export async function settleRemoval({ rows }: Replica, noun: RowNoun, id: string): Promise<void> {
  const table = rows.table<ScopedRow, string>(noun);
  await rows.transaction('rw', table, rows.pulls, async () => {
    const held = await table.get(id);
    if (!held) return;
    await table.delete(id);
    await countSettled(rows.pulls, held._scope, noun);
  });
}

async function countSettled(pulls: Table<PullRow, [string, string]>, scope: string, noun: RowNoun): Promise<void> {
  const pull = (await pulls.get([scope, noun])) ?? newPull(scope, noun);
  await pulls.put({ ...pull, last_complete_at: null, settled: (pull.settled ?? 0) + 1 });
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
